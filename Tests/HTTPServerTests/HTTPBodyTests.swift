import TestSupport
import Testing

@testable import HTTPServer

@Suite struct HTTPBodyTests {
    @Test func `holds its bytes`() {
        #expect(HTTPBody(text: "caf\u{e9}").bytes == [0x63, 0x61, 0x66, 0xc3, 0xa9])
        #expect(HTTPBody(bytes: [1, 2, 3] as [UInt8]).count == 3)
        #expect(HTTPBody.empty.count == 0)
        #expect(HTTPBody.empty.bytes == [])
    }

    @Test func `an array that is taken over stays in place while its owner changes a copy`() {
        var bytes = Array("0123456789".utf8)
        let place = unsafe bytes.withUnsafeBufferPointer { unsafe UnsafeRawPointer($0.baseAddress) }
        let body = HTTPBody(owning: bytes)
        let slice = body.slice(2..<4)
        bytes[2] = 0
        bytes = []
        #expect(unsafe body.start == place)
        #expect(body.text == "0123456789")
        #expect(slice.text == "23")
        #expect(HTTPBody(owning: []).bytes == [])
    }

    @Test func `the memory goes with the last slice`() {
        var whole: HTTPBody? = HTTPBody(text: "0123456789")
        weak let remembered = whole
        var middle = whole?.slice(2..<8)
        var inner = middle?.slice(1..<4)
        whole = nil
        middle = nil
        #expect(remembered != nil)
        #expect(inner?.text == "345")
        #expect(inner?.slice(1..<1).text == "")
        inner = nil
        #expect(remembered == nil)
    }

    @Test func `a part is copied to the end of other bytes`() {
        var bytes = Array("a".utf8)
        let body = HTTPBody(text: "0123456789")
        body.append(3..<5, to: &bytes)
        body.slice(5..<8).append(0..<3, to: &bytes)
        body.append(10..<10, to: &bytes)
        #expect(bytes == Array("a34567".utf8))
    }

    @Test func `a tally goes with the last part whatever that holds`() {
        final class Companion: Sendable {}
        var tally: Companion? = Companion()
        weak let remembered = tally
        var body = tally.map { HTTPBody(text: "0123456789").counted(by: $0) }
        tally = nil
        var part = body?.holding(Companion()).slice(2..<4)
        body = nil
        #expect(remembered != nil)
        #expect(part?.text == "23")
        part = nil
        #expect(remembered == nil)
    }

    @Test func `what a body holds goes with the last part`() {
        final class Companion: Sendable {}
        var companion: Companion? = Companion()
        weak let remembered = companion
        var body = companion.map { HTTPBody(text: "0123456789").holding($0) }
        companion = nil
        var part = body?.slice(2..<4)
        #expect(body?.text == "0123456789")
        body = nil
        #expect(part?.text == "23")
        #expect(remembered != nil)
        part = nil
        #expect(remembered == nil)
    }
}

struct HTTPBodyGzipTests {
    @Test(arguments: [0, 1, 14, 100, 65_536, 1_000_003])
    func `what is unpacked is what was packed`(count: Int) throws {
        var generator = SeededGenerator(seed: UInt64(count))
        let bytes = (0..<count).map { _ in UInt8.random(in: 0..<16, using: &generator) }
        let body = HTTPBody(bytes: bytes)
        let zipped = try #require(body.gzipped())
        #expect(Gzip.unpacked(zipped.bytes) == bytes)
        #expect(count < 100 || zipped.count < count)
    }

    @Test func `what cannot be made shorter comes back all the same`() throws {
        var generator = SeededGenerator(seed: 1)
        let bytes = (0..<100_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        #expect(Gzip.unpacked(try #require(HTTPBody(bytes: bytes).gzipped()).bytes) == bytes)
    }

    @Test func `a part of a body is packed alone`() throws {
        let part = HTTPBody(text: "0123456789").slice(3..<6)
        #expect(Gzip.unpacked(try #require(part.gzipped()).bytes) == Array("345".utf8))
    }

    @Test func `there is neither a time nor a name in it, so that equal bodies are equal bytes`() throws {
        let (first, second) = (HTTPBody(text: "larder").gzipped(), HTTPBody(text: "xlarder").slice(1..<7).gzipped())
        let bytes = try #require(first).bytes
        #expect(Array(bytes.prefix(10)) == [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])
        #expect(second?.bytes == bytes)
    }
}
