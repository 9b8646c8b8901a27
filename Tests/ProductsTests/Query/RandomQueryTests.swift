import Products
import Testing

struct RandomQueryTests {
    private static let seeds = 0..<60

    /// What a query finds, by looking at every product.
    private func naive(_ items: [ShopItem], _ query: ProductsQuery, _ words: [String]) -> [String] {
        items.enumerated().filter { $0.element.passes(query, words: words) }.sorted { left, right in
            for key in query.sort {
                if let precedes = left.element.precedes(right.element, by: key) { return precedes }
            }
            return left.offset < right.offset
        }
        .map(\.element.id)
    }

    @Test(arguments: seeds)
    func `find on all pages together what looking at every product finds`(seed: Int) throws {
        var shop = RandomShop(seed: seed)
        let items = shop.items(Int.random(in: 0...150, using: &shop.random))
        let index = try makeIndex(items.map(\.product))
        for _ in 0..<40 {
            let (query, words) = shop.query()
            let expected = naive(items, query, words)
            #expect(try ids(on: pages(of: query, in: index), in: index) == expected, "\(query)")
        }
    }

    @Test(arguments: seeds)
    func `fill every page but the last, and count the same total on each`(seed: Int) throws {
        var shop = RandomShop(seed: seed)
        let index = try makeIndex(shop.items(100).map(\.product))
        for _ in 0..<10 {
            let (query, _) = shop.query()
            let pages = try pages(of: query, in: index)
            #expect(Set(pages.map(\.total)).count == 1)
            #expect(pages.map(\.positions.count).reduce(0, +) == pages[0].total)
            #expect(pages.dropLast().allSatisfy { $0.positions.count == query.limit })
            #expect(pages.count == 1 || pages.last?.positions.isEmpty == false)
        }
    }

    private func pages(of query: ProductsQuery, in index: CatalogueIndex) throws -> [ProductsPage] {
        var query = query
        var pages = [try index.page(of: query)]
        while let next = pages.last?.next {
            query.cursor = try PageCursor(text: next.text)
            pages.append(try index.page(of: query))
        }
        return pages
    }

    private func ids(on pages: [ProductsPage], in index: CatalogueIndex) -> [String] {
        pages.flatMap(\.positions).map { index.catalogue.products[$0].id }
    }
}
