import Testing
import Text
import Tracing

struct RequestIdentityTests {
    @Test(arguments: ["a", "7f3a-91.B_c~d+e/f=", String(repeating: "x", count: 128)])
    func `a harmless name of the client's is kept`(name: String) {
        #expect(RequestIdentity(givenID: name, serial: (1, 2)).id == name)
    }

    @Test(arguments: [
        "", "a b", "a\tb", "a\r\nX: y", "\u{0}", "a,b", "{}", "\"", "é", "<script>",
        String(repeating: "x", count: 129),
    ])
    func `any other makes way for one of our own`(name: String) {
        #expect(RequestIdentity(givenID: name, serial: (1, 2)).id == RequestIdentity(serial: (1, 2)).id)
    }

    @Test
    func `without one there is a name of 32 digits, the same whenever it is asked for, and another for each request`() {
        let cause = RequestIdentity(serial: (UInt64.max, 0xab))
        #expect(cause.id.count == 32)
        #expect(cause.id.allSatisfy { "0123456789abcdef".contains($0) })
        #expect(cause.id == cause.id)
        #expect(RequestIdentity(serial: (UInt64.max, 0xac)).id != cause.id)
    }

    @Test func `names of one server begin alike, and tell neither its number nor how many requests there were`() {
        let server: UInt64 = 0x0123_4567_89ab_cdef
        let ids = (0..<10_000).map { RequestIdentity(serial: (server, $0)).id }
        #expect(Set(ids).count == ids.count)
        #expect(Set(ids.map { $0.prefix(16) }).count == 1)
        #expect(!ids[0].hasPrefix(server.hexDigits))
        let ends = ids.compactMap { UInt64($0.suffix(16), radix: 16) }
        let changes = zip(ends, ends.dropFirst()).map { ($0 ^ $1).nonzeroBitCount }
        #expect(ends.count == ids.count)
        #expect(changes.allSatisfy { $0 > 8 })
        #expect((31...33).contains(Double(changes.reduce(0, +)) / Double(changes.count)))
        #expect(RequestIdentity(serial: (server &+ 1, 0)).id.prefix(16) != ids[0].prefix(16))
        #expect(RequestIdentity(serial: (server &+ 1, 0)).id.suffix(16) != ids[0].suffix(16))
    }
}
