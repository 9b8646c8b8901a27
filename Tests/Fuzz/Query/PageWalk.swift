import FoundationEssentials
import JSON
import Products
import Querying

/// All pages of a query, one after the other by their cursors.
struct PageWalk {
    let index: CatalogueIndex
    let query: ProductsQuery

    func check() throws(QueryFault) {
        let whole = try page(of: unlimited, "a query without a cursor has an answer")
        try require("all of a query is one page", whole.next == nil && whole.positions.count == whole.total)
        try require("each product is found once", Set(whole.positions).count == whole.total)
        try require("what is found passes the filters", whole.positions.allSatisfy(passes), found: whole.positions)
        try checkPages(whole)
        try checkPlaces(whole)
        try checkBytes(whole)
    }

    private var unlimited: ProductsQuery {
        var query = query
        query.limit = nil
        query.cursor = nil
        return query
    }

    private func page(of query: ProductsQuery, _ property: String) throws(QueryFault) -> ProductsPage {
        do {
            return try index.page(of: query)
        } catch {
            throw QueryFault(property, found: error)
        }
    }

    private func checkPages(_ whole: ProductsPage) throws(QueryFault) {
        var next = query
        next.cursor = nil
        var found: [Int] = []
        repeat {
            let page = try page(of: next, "a cursor of this walk has a page")
            found += page.positions
            try require("each page has the same total", page.total == whole.total, found: page.total)
            try require("no page is too long", page.positions.count <= query.limit ?? whole.total)
            try require("a page that is not the last has a product", page.next == nil || !page.positions.isEmpty)
            next.cursor = try page.next.map(read)
        } while next.cursor != nil && found.count <= whole.total
        try require("the pages together are the whole", found == whole.positions, found: found)
    }

    /// The cursor after its way to a client and back.
    private func read(_ cursor: PageCursor) throws(QueryFault) -> PageCursor {
        let item = (name: ProductsQueryParameter.cursor.rawValue, value: Optional(cursor.text))
        let query = try? ProductsQuery(parsing: [item], limits: PageLimits())
        try require("a cursor comes back from its text", query?.cursor == cursor)
        return cursor
    }

    /// Cursors that no page gave: to any place of this query, of another query and of another catalogue.
    private func checkPlaces(_ whole: ProductsPage) throws(QueryFault) {
        var next = query
        for skipped in [0, 1, whole.total, whole.total + 1, .max] {
            next.cursor = try read(PageCursor(skipping: skipped, of: query, revision: index.revision))
            let page = try page(of: next, "a cursor of this query and catalogue has a page")
            let rest = whole.positions.dropFirst(skipped)
            try require("a cursor skips what it says", page.positions[...] == rest.prefix(query.limit ?? rest.count))
        }
        next.cursor = PageCursor(skipping: 0, of: query, revision: "another")
        try require("a cursor of another catalogue is refused", problem(of: next) == .ofAnotherRevision)
        next.popular = query.popular.map { !$0 } ?? true
        try require("a cursor of another query is refused", problem(of: next) == .ofAnotherQuery)
    }

    private func problem(of query: ProductsQuery) -> PageCursorProblem? {
        do {
            _ = try index.page(of: query)
            return nil
        } catch {
            return error
        }
    }

    private func checkBytes(_ whole: ProductsPage) throws(QueryFault) {
        let listed = ProductsUseCase.marked(index.catalogue, by: SampleShop.popularity)
        var bytes: [UInt8] = []
        do {
            try whole.append(to: &bytes, form: ProductProjection(fields: query.fields)) {
                $1.append(contentsOf: listed.array.bytes[listed.array.ranges[$0]])
            }
        } catch {
            throw QueryFault("members can be chosen from every product", found: error)
        }
        guard let products = try? JSONParser().parse(bytes).array
        else { throw QueryFault("a page is a JSON array", found: "none") }
        let ids = products.map { $0.object?["id"]?.string }
        let expected = whole.positions.map { Optional(index.catalogue.products[$0].id) }
        try require("a page has its products", ids == expected, found: ids)
    }

    /// What the filters say of a product, but for words.
    private func passes(_ position: Int) -> Bool {
        let product = index.catalogue.products[position]
        let details = product.details
        return Self.names([product.typeName], query.types)
            && Self.names(details.category?.texts ?? [], query.categories)
            && Self.names([details.id], query.ids)
            && query.popular.map { $0 == (product.sales > SampleShop.popularity.salesOver) } != false
            && query.minPrice.map { details.price.amount >= $0 } != false
            && query.maxPrice.map { details.price.amount <= $0 } != false
    }

    private static func names(_ texts: [String], _ wanted: Set<ExactText>?) -> Bool {
        wanted?.contains { texts.contains($0.text) } ?? true
    }
}
