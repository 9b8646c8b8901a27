import TestSupport
import FileSystem
import HTTPServer
import JSON
import Products
import Testing

@testable import Service

@Suite("The practice catalogue")
struct PracticeCatalogueTests {
    @Test("The made-up one is a catalogue that Larder takes, a hundred products in the promised size")
    func madeUp() throws {
        let items = PracticeCatalogue.madeUp().items
        let catalogue = try Catalogue(products: NativeCatalogueDecoder().decode(items: items).products)
        #expect(catalogue.products.count == 100)
        let encoded = EncodedListing(makeListing(catalogue)).plain.whole.representation
        #expect((14_000...15_000).contains(encoded.body.count))
    }

    @Test("A file may hold an array, or an object with products", arguments: ["[{}]", "{\"products\":[{}]}"])
    func file(text: String) throws {
        let directory = try TemporaryDirectory()
        try Files.create(directory("shop.json"), Array(text.utf8))
        #expect(try PracticeCatalogue.load(directory("shop.json")).items == [.object([:])])
    }

    @Test("A file that holds none is named", arguments: ["{}", "[", "7"])
    func badFile(text: String) throws {
        let directory = try TemporaryDirectory()
        let path = directory("shop.json")
        try Files.create(path, Array(text.utf8))
        let failure = try #require(throws: PracticeCatalogueError.self) { try PracticeCatalogue.load(path) }
        #expect(failure.description.hasPrefix("\(path): "))
    }
}
