import HTTPServer
import TestSupport
import Testing

@Suite("Bodies in gzip")
struct HTTPBodyGzipTests {
    @Test("What is unpacked is what was packed", arguments: [0, 1, 14, 100, 65_536, 1_000_003])
    func roundTrip(count: Int) throws {
        var generator = SeededGenerator(seed: UInt64(count))
        let bytes = (0..<count).map { _ in UInt8.random(in: 0..<16, using: &generator) }
        let body = HTTPBody(bytes: bytes)
        let zipped = try #require(body.gzipped())
        #expect(Gzip.unpacked(zipped.bytes) == bytes)
        #expect(count < 100 || zipped.count < count)
    }

    @Test("What cannot be made shorter comes back all the same")
    func incompressible() throws {
        var generator = SeededGenerator(seed: 1)
        let bytes = (0..<100_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        #expect(Gzip.unpacked(try #require(HTTPBody(bytes: bytes).gzipped()).bytes) == bytes)
    }

    @Test("A part of a body is packed alone")
    func part() throws {
        let part = HTTPBody(text: "0123456789").slice(3..<6)
        #expect(Gzip.unpacked(try #require(part.gzipped()).bytes) == Array("345".utf8))
    }

    @Test("There is neither a time nor a name in it, so that equal bodies are equal bytes")
    func deterministic() throws {
        let (first, second) = (HTTPBody(text: "larder").gzipped(), HTTPBody(text: "xlarder").slice(1..<7).gzipped())
        let bytes = try #require(first).bytes
        #expect(Array(bytes.prefix(10)) == [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])
        #expect(second?.bytes == bytes)
    }
}
