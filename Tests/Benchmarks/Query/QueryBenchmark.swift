internal import FoundationEssentials
internal import JSON
internal import Products
internal import Querying

/// Measures queries of 50,000 products, in time on the clock: `make bench-query`.
@main
struct QueryBenchmark {
    private static let count = 50_000
    private static let rounds = 15

    static func main() throws {
        let catalogue = try Catalogue(products: (0..<count).map(product))
        print("\(count) products, \(catalogue.encoded.count) bytes; in milliseconds of time on the clock")
        print(
            "query: the first time, with the parts of the index that it makes; the least and the most of \(rounds) more"
        )
        let marks = ProductsUseCase.marked(catalogue, by: PopularityRule()).marks
        let index = CatalogueIndex(catalogue, marks)
        for text in queries { try report(text, index) }
        try reportID(index)
        try reportEncoding(index)
        report("all parts of a new index") {
            CatalogueIndex(catalogue, marks).prepare()
        }
    }

    private static let queries = [
        "", "limit=20", "ids=sku-31234", "type=digital", "category=pantry%-7", "popular=true", "min_price=20",
        "min_price=20&max_price=40", "q=flour", "q=lot 12345", "q=e", "q=a e i o n r t s", "sort=price", "sort=-name",
        "sort=id", "sort=category,type,-sales,price,name,id",
        "type=physical,digital&popular=true&q=whole grain&sort=-price",
        "type=physical&min_price=1&popular=false&q=a e i o n r t s&sort=category,type,-sales,price,name,id&limit=20",
    ]

    private static func report(_ text: String, _ index: CatalogueIndex) throws {
        let query = try query(text)
        var page: ProductsPage?
        let first = try milliseconds { page = try index.page(of: query) }
        let more = try (0..<rounds).map { _ in try milliseconds { page = try index.page(of: query) } }
        print("\(shown(first)) \(shown(more.min() ?? 0)) \(shown(more.max() ?? 0))  \(page?.total ?? 0) of \"\(text)\"")
    }

    /// Takes a thousand look-ups together, because one is too short for the clock.
    private static func reportID(_ index: CatalogueIndex) throws {
        let queries = try (0..<1000).map { try query("ids=sku-\($0 * 37)") }
        try report("a thousand look-ups of one id by query") { for query in queries { _ = try index.page(of: query) } }
        report("a thousand look-ups of one id by path") {
            for number in 0..<1000 { _ = index.catalogue.position(ofID: "sku-\(number * 37)") }
        }
        try report("a thousand queries parsed") {
            for number in 0..<1000 { _ = try query("ids=sku-\(number)&limit=5") }
        }
    }

    private static func reportEncoding(_ index: CatalogueIndex) throws {
        let listed = ProductsUseCase.marked(index.catalogue, by: index.marks.rule)
        let page = try index.page(of: query("limit=1000"))
        func cut(_ fields: ProductFields?) throws {
            var array: [UInt8] = []
            try page.append(to: &array, form: ProductProjection(fields: fields)) {
                $1.append(contentsOf: listed.bytes[listed.ranges[$0]])
            }
        }
        try report("a page of a thousand, cut") { try cut(nil) }
        try report("a page of a thousand, members chosen") { try cut(ProductFields(["name", "price"])) }
    }

    private static func report(_ what: String, _ work: () throws -> Void) rethrows {
        let times = try (0..<rounds).map { _ in try milliseconds(work) }
        print("\(shown(times.min() ?? 0)) \(shown(times.max() ?? 0))  \(what)")
    }

    private static func milliseconds(_ work: () throws -> Void) rethrows -> Double {
        try ContinuousClock().measure(work) / .milliseconds(1)
    }

    private static func shown(_ milliseconds: Double) -> String {
        let thousandths = Int((milliseconds * 1000).rounded())
        let digits = String(thousandths % 1000 + 1000).dropFirst()
        return String(repeating: " ", count: max(0, 4 - String(thousandths / 1000).count))
            + "\(thousandths / 1000).\(digits)"
    }

    private static func query(_ text: String) throws -> ProductsQuery {
        let items = text.split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1).map(String.init)
            return (name: parts[0], value: parts.dropFirst().first)
        }
        return try ProductsQuery(parsing: items, limits: PageLimits())
    }

    private static let words = ["Rye", "Wheat", "Spelt", "Oat", "Crème", "Barley", "Straße", "Maize"]

    private static func product(_ number: Int) -> any Product {
        let price = Price(amount: Decimal(number * 7919 % 90_000 + 99) / 100, currency: "EUR")
        let details = ProductDetails(
            id: "sku-\(number)", name: "\(words[number % 8]) flour, lot \(number)", price: price,
            sales: number * 31 % 250,
            description:
                "Milled from whole grain in \(1900 + number % 120); keeps for a year in a dry place. No. \(number).",
            category: number % 5 == 0 ? nil : ProductCategories("pantry%-\(number % 300)"))
        return number % 3 == 0 ? DigitalProduct(details: details) : PhysicalProduct(details: details)
    }
}
