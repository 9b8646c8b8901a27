import JSON
import Testing

@Suite struct JSONRoundTripTests {
    @Test("generated values survive writing and reading", arguments: 0..<40)
    func survives(seed: UInt64) throws {
        var generator = JSONGenerator(seed: seed)
        for _ in 0..<25 {
            let value = generator.value(depth: 4)
            let bytes = value.encoded()
            #expect(try JSONParser().parse(bytes) == value)
            #expect(try JSONByteEncoder.encode(value) == bytes)
            #expect(try JSONValueDecoder.decode(JSONValue.self, from: value) == value)
        }
    }

    @Test("a byte changed anywhere is refused or read, and never traps", arguments: 0..<20)
    func neverTraps(seed: UInt64) throws {
        var generator = JSONGenerator(seed: seed)
        let bytes = generator.value(depth: 4).encoded()
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] = UInt8.random(in: 0...255, using: &generator.random)
            guard let value = try? JSONParser().parse(damaged) else { continue }
            #expect(try JSONParser().parse(value.encoded()) == value)
        }
    }
}
