internal import FileSystem
internal import JSON
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing
internal import Upstreams

@testable internal import Decoding

struct UnmatchedPathsTests {
    private static let items = """
        [{"id": 1, "title": "Cream", "brand": {"label": "Acme", "url": "x"}, "images": [{"url": "a"}], "cost": 9, "none": []},
         {"id": 2, "title": "Soap", "brand": {"name": "Bubbles"}, "stock": null, "cost": 8, "none": []}]
        """

    private func unmatched(_ fields: String, in text: String = items) throws -> [String] {
        let mapping =
            "{ type: physical, fields: { name: title, price.amount: cost, \(fields) }, "
            + "constants: { price.currency: EUR } }"
        return try decodeMapped(text, mapping).unmatched
    }

    @Test(arguments: [
        (
            "sales: stok",
            #"sales: stok (there are "id", "title", "brand", "images", "cost", "none" and "stock"; did you mean "stock"?)"#
        ),
        ("x: brand.nme", #"x: brand.nme (brand has "label", "url" and "name"; did you mean "name"?)"#),
        ("x: images.url", "x: images.url (images is an array; write an index, like images.0.url, or *)"),
        ("x: images.1.url", "x: images.1.url (images is an array; write an index, like images.0, or *)"),
        ("x: title.text", "x: title.text (title is a string)"),
        ("x: none.0", "x: none.0 (none is an empty array)"),
        (
            "x: { path: [nothing, brand.nme] }",
            #"x: nothing or brand.nme (brand has "label", "url" and "name"; did you mean "name"?)"#
        ),
    ])
    func `a path that leads to nothing in any item is named with what is there`(field: String, text: String) throws {
        #expect(try unmatched(field) == [text])
    }

    @Test(arguments: ["sales: stock", "x: brand.name", "x: images.0.url", "x: { path: [nothing, brand.url] }"])
    func `a path that leads to a value in one item, if only to null, is not named`(field: String) throws {
        #expect(try unmatched(field) == [])
    }

    @Test func `of a catalogue without items, and of items that are recognised, nothing is said`() throws {
        #expect(try unmatched("x: y", in: "[]") == [])
        let decoder = try makeDecoder(
            "{ type: physical, fields: { name: title, price.amount: cost, x: y }, "
                + "constants: { price.currency: EUR } }")
        let body = Array(Self.items.utf8)
        let first = try decoder.decode(body, knowing: nil)
        #expect(first.unmatched.count == 1)
        let known = KnownProducts(try Catalogue(first), from: first)
        #expect(try decoder.decode(body, knowing: known).unmatched == [])
    }

    @Test func `the place of the kind counts too, and pages as one list`() throws {
        let decoder = try makeDecoder(
            "{ type: { path: kind, otherwise: physical }, fields: { name: title, price.amount: cost }, "
                + "constants: { price.currency: EUR } }")
        let items = try #require(try JSONParser().parse(Array(Self.items.utf8)).array)
        #expect(try decoder.decode(items: items).unmatched.map { $0.prefix(11) } == ["type: kind "])
    }

    @Test func `they are logged once for a provider, though the file changes`() async throws {
        let (directory, log) = (try TemporaryDirectory(), LogRecorder())
        let provider = FileProductsProvider(
            path: directory("products.json"),
            decoder: try makeDecoder(
                "{ type: physical, fields: { name: title, price.amount: cost, x: y }, "
                    + "constants: { price.currency: EUR } }"), logger: log.logger)
        for title in ["Cream", "Milk", "Butter"] {
            let text = #"[{"id": 1, "title": "\#(title)", "cost": 1}]"#
            try Files.replace(directory("products.json"), with: Array(text.utf8), temporary: directory("new"))
            _ = try await provider.ask()
        }
        #expect(log.seen == ["warning: paths of the mapping match nothing in any item"])
        #expect(log.seenLines.first?.metadata["paths"] == #"x: y (there are "id", "title" and "cost")"#)
    }
}
