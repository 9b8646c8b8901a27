import HTTPServer
import Testing

@testable import Service

@Suite("Answers with one product")
struct ProductPartsTests {
    private let whole = HTTPBody(text: "[1,22,1]")
    private func makeParts() -> ProductParts { ProductParts(of: whole, ranges: [1..<2, 3..<5, 6..<7]) }

    @Test("Each is its part of the whole, with the tag of its content, in the header too")
    func parts() throws {
        let parts = makeParts()
        #expect((0..<3).map { parts[$0].body.text } == ["1", "22", "1"])
        #expect(parts[0].entityTag == EntityTag.strong(for: HTTPBody(text: "1")))
        #expect(parts[0].entityTag == parts[2].entityTag)
        #expect(parts[0].entityTag != parts[1].entityTag)
        #expect(parts[1].tagHead.fields.map(\.name) == ["ETag"])
        #expect(parts[1].tagHead.first("ETag") == parts[1].entityTag)
    }

    @Test("Each is made once")
    func once() {
        let parts = makeParts()
        let first = parts[1]
        #expect(parts[1].body === first.body)
        #expect(parts[0].body !== first.body)
    }
}
