import HTTPServer
import TestSupport
import Testing

@testable import Service

@Suite("Representations and their codings")
struct RepresentationTests {
    private func make(_ count: Int, _ text: String = "larder ") -> Representation {
        Representation(body: HTTPBody(text: String(String(repeating: text, count: count).prefix(count))))
    }

    @Test("In gzip the bytes are the same and the tag is another, made of the first one")
    func gzipped() throws {
        let plain = make(2000)
        let zipped = plain.compressed
        #expect(zipped.coding == .gzip)
        #expect(zipped.body.count < 100)
        #expect(Gzip.unpacked(zipped.body.bytes) == plain.body.bytes)
        #expect(zipped.entityTag == "\(plain.entityTag.dropLast())-gzip\"")
        #expect(zipped.tagHead.first("ETag") == zipped.entityTag)
    }

    @Test("What is short stays as it is, for all but those who insist", arguments: [(859, false), (860, true)])
    func short(count: Int, isCompressed: Bool) {
        let plain = make(count)
        #expect(plain.isWorthCompressing == isCompressed)
        #expect((plain.compressed.coding == .gzip) == isCompressed)
        #expect(Gzip.unpacked(plain.gzipped.body.bytes) == plain.body.bytes)
    }

    @Test("What gzip makes no shorter stays as it is")
    func incompressible() {
        var generator = SeededGenerator(seed: 7)
        let noise = Representation(
            body: HTTPBody(bytes: (0..<5000).map { _ in UInt8.random(in: 0...255, using: &generator) }))
        #expect(noise.compressed.body === noise.body)
        #expect(noise.compressed.coding == .identity)
        #expect(noise.gzipped.coding == .gzip)
    }

    @Test("Nothing is compressed twice")
    func twice() {
        let zipped = make(5000).compressed
        #expect(zipped.compressed.body === zipped.body)
        #expect(zipped.gzipped.body === zipped.body)
        let answer = EncodedAnswer(zipped, next: "x")
        #expect(answer.compressed === answer)
        #expect(answer.gzipped === answer)
    }

    @Test("A page stays that page in gzip, with a head of its own")
    func page() {
        let page = EncodedAnswer(make(5000), next: "cursor")
        #expect(page.compressed.next == "cursor")
        #expect(page.compressed.headMemo !== page.headMemo)
        #expect(EncodedAnswer(make(10), next: "cursor").gzipped.next == "cursor")
    }
}
