import Products
import TestSupport
import Testing

struct CatalogueLifetimeTests {
    private func makeCatalogue() throws -> Catalogue { try Catalogue(products: [makeProduct(id: "1")]) }

    @Test func `Its end is told once to each who wants to know, at once to those who ask too late`() throws {
        var catalogue: Catalogue? = try makeCatalogue()
        let lifetime = try #require(catalogue).lifetime
        let told = Observed(0)
        for _ in 0..<2 { lifetime.whenOver { told.update { $0 += 1 } } }
        #expect(!lifetime.isOver)
        #expect(told.value == 0)
        catalogue = nil
        #expect(lifetime.isOver)
        #expect(told.value == 2)
        lifetime.whenOver { told.update { $0 += 1 } }
        #expect(told.value == 3)
    }

    @Test func `What shares its contents does not prolong it, and has them after its end`() throws {
        var catalogue: Catalogue? = try makeCatalogue()
        weak let remembered = catalogue
        let share = Catalogue(sharing: try #require(catalogue))
        let index = CatalogueIndex(share, popularity: PopularityRule())
        #expect(share.revision == catalogue?.revision)
        #expect(share.encoded == catalogue?.encoded)
        catalogue = nil
        #expect(remembered == nil)
        #expect(share.position(ofID: "1") == 0)
        #expect(share.products.count == 1)
        #expect(try index.page(of: ProductsQuery(ids: ["1"])).positions == [0])
        #expect(!share.lifetime.isOver)
    }
}
