import Redis
import Testing

@Suite struct RedisValueTests {
    @Test(arguments: [
        (RedisValue.integer(7), 7 as Int?), (.bytes(Array("42".utf8)), 42), (.status("OK"), nil), (.null, nil),
    ])
    func `numbers are read from integers and from strings`(value: RedisValue, number: Int?) {
        #expect(value.number == number)
    }
}
