import HTTPServer
import Products
import TestSupport
import Testing

@testable import Serving

@Suite struct RepresentationTests {
    private func make(_ count: Int, _ text: String = "larder ") -> Representation {
        Representation(body: HTTPBody(text: String(String(repeating: text, count: count).prefix(count))))
    }

    @Test func `gzip has the same bytes and a tag derived from the plain one`() throws {
        let plain = make(2000)
        let zipped = plain.compressed
        #expect(zipped.coding == .gzip)
        #expect(zipped.body.count < 100)
        #expect(Gzip.unpacked(zipped.body.bytes) == plain.body.bytes)
        #expect(zipped.entityTag == "\(plain.entityTag.dropLast())-gzip\"")
        #expect(zipped.tagHead.first("ETag") == zipped.entityTag)
    }

    @Test(arguments: [(859, false), (860, true)])
    func `a short body is compressed only on demand`(count: Int, isCompressed: Bool) {
        let plain = make(count)
        #expect(plain.isWorthCompressing == isCompressed)
        #expect((plain.compressed.coding == .gzip) == isCompressed)
        #expect(Gzip.unpacked(plain.gzipped.body.bytes) == plain.body.bytes)
    }

    @Test func `an incompressible body stays as it is`() {
        var generator = SeededGenerator(seed: 7)
        let noise = Representation(
            body: HTTPBody(bytes: (0..<5000).map { _ in UInt8.random(in: 0...255, using: &generator) }))
        #expect(noise.compressed.body === noise.body)
        #expect(noise.compressed.coding == .identity)
        #expect(noise.gzipped.coding == .gzip)
    }

    @Test func `nothing is compressed twice`() {
        let zipped = make(5000).compressed
        #expect(zipped.compressed.body === zipped.body)
        #expect(zipped.gzipped.body === zipped.body)
        let answer = CachedResponse(zipped, next: "x")
        #expect(answer.compressed === answer)
        #expect(answer.gzipped === answer)
    }

    @Test func `a compressed page keeps its cursor and has fields of its own`() {
        let page = CachedResponse(make(5000), next: "cursor")
        #expect(page.compressed.next == "cursor")
        #expect(page.compressed.headMemo !== page.headMemo)
        #expect(CachedResponse(make(10), next: "cursor").gzipped.next == "cursor")
    }
}

@Suite struct EncodedViewTests {
    private let view = EncodedView(Self.encoded(["1", "22", "1"]))

    private static func encoded(_ products: [String]) -> EncodedArray {
        var array = EncodedArray(documentOf: products.count)
        for product in products { _ = array.append { $0.append(contentsOf: product.utf8) as Void? } }
        array.closeDocument()
        return array
    }

    @Test func `each product is its part of the whole, with the tag of its content`() throws {
        let parts = try (0..<3).map { try #require(view.product(at: $0).ready) }
        #expect((0..<3).map { parts[$0].body.text } == ["1", "22", "1"])
        #expect(parts[0].entityTag == EntityTag.strong(for: HTTPBody(text: "1")))
        #expect(parts[0].entityTag == parts[2].entityTag)
        #expect(parts[0].entityTag != parts[1].entityTag)
        #expect(parts[1].tagHead.fields.map(\.name) == ["ETag"])
        #expect(parts[1].tagHead.first("ETag") == parts[1].entityTag)
    }

    @Test func `each part is made once`() throws {
        let first = try #require(view.product(at: 1).ready)
        #expect(view.product(at: 1).ready?.body === first.body)
        #expect(view.product(at: 0).ready?.body !== first.body)
    }
}
