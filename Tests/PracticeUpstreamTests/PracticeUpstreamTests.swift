import FileSystem
import HTTPServer
import JSON
import Products
import TestSupport
import Testing

@testable import PracticeUpstream

@Suite struct PracticeCatalogueTests {
    @Test func `the made-up catalogue has a hundred valid products of the promised size`() throws {
        let items = PracticeCatalogue.madeUp().items
        let catalogue = try Catalogue(NativeCatalogueDecoder().decode(items: items))
        #expect(catalogue.products.count == 100)
        let listed = ProductsUseCase.marked(catalogue, by: PopularityRule())
        #expect((14_000...15_000).contains(listed.array.bytes.count))
    }

    @Test(arguments: ["[{}]", "{\"products\":[{}]}"])
    func `a file may hold an array, or an object with products`(text: String) throws {
        let directory = try TemporaryDirectory()
        try Files.create(directory("shop.json"), Array(text.utf8))
        #expect(try PracticeCatalogue.load(directory("shop.json")).items == [.object([:])])
    }

    @Test(arguments: ["{}", "[", "7"])
    func `a file without products is named`(text: String) throws {
        let directory = try TemporaryDirectory()
        let path = directory("shop.json")
        try Files.create(path, Array(text.utf8))
        let failure = try #require(throws: PracticeCatalogueError.self) { try PracticeCatalogue.load(path) }
        #expect(failure.description.hasPrefix("\(path): "))
    }
}

@Suite struct PracticeFaultTests {
    @Test(arguments: PracticeFault.modes.split(separator: " "))
    func `every offered mode can be switched on`(mode: Substring) throws {
        #expect(try #require(PracticeFault(mode: String(mode))).mode == mode)
    }

    @Test(arguments: [200, 404, 429, 599])
    func `any final status can be a fault`(code: Int) {
        #expect(PracticeFault(mode: "status=\(code)") == .status(code))
    }

    @Test(arguments: ["", "Down", "down ", "status", "status=", "status=199", "status=600", "status=abc", "503"])
    func `any other text is no mode`(mode: String) {
        #expect(PracticeFault(mode: mode) == nil)
    }
}
