import FoundationEssentials
import JSON
import Testing

@testable import Products
import ProductsTestSupport
@testable import Querying

/// Each stored property of a query tells queries apart, and their pages where it selects or orders.
@Suite struct QueryFieldsTests {
    /// A query that differs from the empty one in one property, by the property's name.
    private static let samples: [String: ProductsQuery] = [
        "types": ProductsQuery(types: ["a"]), "categories": ProductsQuery(categories: ["a"]),
        "popular": ProductsQuery(popular: false), "ids": ProductsQuery(ids: ["a"]), "words": ProductsQuery(text: "a"),
        "minPrice": ProductsQuery(minPrice: 0), "maxPrice": ProductsQuery(maxPrice: 0),
        "sort": ProductsQuery(sort: [ProductsSortKey(.id)]), "limit": ProductsQuery(limit: 1),
        "cursor": ProductsQuery(cursor: PageCursor(skipping: 1, of: ProductsQuery(), revision: "r")),
        "fields": ProductsQuery(fields: ProductFields([])), "view": ProductsQuery(view: .display),
        "declared": changed { $0.declared = [brand: ["a"]] }, "facets": changed { $0.facets = ["type"] },
        "facetLimit": changed { $0.facetLimit = 1 }, "variants": changed { $0.variants = .matching },
        "language": changed { $0.language = "de" },
    ]
    private static let brand = DeclaredParameter(member: "brand", comparison: .isAny, memberForm: .text)

    private static func changed(_ change: (inout ProductsQuery) -> Void) -> ProductsQuery {
        var query = ProductsQuery()
        change(&query)
        return query
    }

    /// What a client may change from page to page.
    private static let ofPages: Set<String> = [
        "limit", "cursor", "fields", "view", "language", "facets", "facetLimit", "variants",
    ]

    @Test func `there is a sample for every property, which differs in that alone`() {
        let empty = Self.values(ProductsQuery())
        #expect(Set(Self.samples.keys) == Set(empty.keys))
        for (name, query) in Self.samples {
            let changed = Self.values(query).filter { $0.value != empty[$0.key] }
            #expect(Set(changed.keys) == [name])
        }
    }

    @Test(arguments: samples.keys.sorted())
    func `queries that differ in one property are not equal`(name: String) throws {
        let query = try #require(Self.samples[name])
        #expect(query == query)
        #expect(query != ProductsQuery())
        #expect(Set(Self.samples.values).count == Self.samples.count)
    }

    @Test(arguments: samples.keys.sorted())
    func `a cursor belongs to the filters and the order, and to nothing else`(name: String) throws {
        let query = try #require(Self.samples[name])
        #expect((query.fingerprint == ProductsQuery().fingerprint) == Self.ofPages.contains(name))
        let others = Self.samples.filter { $0.key != name && !Self.ofPages.contains($0.key) }
        #expect(others.values.allSatisfy { $0.fingerprint != query.fingerprint })
    }

    @Test func `fingerprints do not change from release to release, since cursors outlive them`() {
        #expect(ProductsQuery().fingerprint == 0x39f4_2a84_282f_0ef5)
        let query = ProductsQuery(types: ["b", "a"], text: "x", minPrice: 1.5)
        #expect(query.fingerprint == 0xf9de_437e_141b_c0ee)
    }

    @Test func `two spellings of a text make two queries, in every list`() {
        let (composed, decomposed): (ExactText, ExactText) = ("caf\u{e9}", "cafe\u{301}")
        #expect(composed.text == decomposed.text)
        let pairs = [
            (ProductsQuery(types: [composed]), ProductsQuery(types: [decomposed])),
            (ProductsQuery(categories: [composed]), ProductsQuery(categories: [decomposed])),
            (ProductsQuery(ids: [composed]), ProductsQuery(ids: [decomposed])),
        ]
        for (left, right) in pairs {
            #expect(left != right)
            #expect(left.hashValue != right.hashValue)
            #expect(left.fingerprint != right.fingerprint)
        }
    }

    private static func values(_ query: ProductsQuery) -> [String: String] {
        Dictionary(uniqueKeysWithValues: Mirror(reflecting: query).children.map { ($0.label ?? "", "\($0.value)") })
    }

    @Test(arguments: [
        ProductsQuery(types: ["a", "b"]), ProductsQuery(categories: ["a", "b"]), ProductsQuery(ids: ["a", "b"]),
        ProductsQuery(text: "a b"), ProductsQuery(fields: ProductFields(["id", "type"])),
    ])
    func `every text of a query counts with its bytes and its place`(query: ProductsQuery) {
        let base = ProductsQuery().approximateSize
        #expect(query.approximateSize >= base + 2 * 17)
    }

    @Test func `a long text counts with its length`() {
        let text = ExactText(String(repeating: "a", count: 5001))
        let (short, long) = (ProductsQuery(ids: ["a"]), ProductsQuery(ids: [text]))
        #expect(long.approximateSize == short.approximateSize + 5000)
    }
}

@Suite struct ProductFieldsTests {
    private func projection(_ product: String, _ names: [String]) throws -> String {
        String(decoding: try ProductFields(names).projection(of: Array(product.utf8)[...]), as: UTF8.self)
    }

    @Test func `chosen members keep their order and their bytes, with type and id beside them`() throws {
        let product =
            #"{"type":"x","id":"1","name":"M\u00fcg","price":{"amount":1.10},"sales":3,"a\"b":[1,{"name":2}]}"#
        #expect(
            try projection(product, ["price", "name"])
                == #"{"type":"x","id":"1","name":"M\u00fcg","price":{"amount":1.10}}"#)
        #expect(try projection(product, ["a\"b"]) == #"{"type":"x","id":"1","a\"b":[1,{"name":2}]}"#)
        #expect(try projection(product, ["none"]) == #"{"type":"x","id":"1"}"#)
        #expect(try projection("{}", ["name"]) == "{}")
    }

    @Test(arguments: ["", "[]", "1", #"{"id":"1""#, #"{"id" 1}"#])
    func `what is no object is an error`(text: String) {
        #expect(throws: JSONSyntaxError.self) { try projection(text, ["id"]) }
    }

    @Test func `a page is the array of its products, whole or in part, from any encoding of the catalogue`() throws {
        let index = try makeIndex((0..<3).map { makeListed("\($0)", sales: $0 * 100) })
        let listed = ProductsUseCase.marked(index.catalogue, by: index.marks.rule)
        let page = try index.page(of: ProductsQuery(sort: [ProductsSortKey(.sales, isDescending: true)], limit: 2))
        let fields = ProductFields(["isPopular"])
        func array(_ page: ProductsPage, _ fields: ProductFields? = nil) throws -> String {
            var array: [UInt8] = []
            try page.append(to: &array, form: ProductProjection(fields: fields)) {
                $1.append(contentsOf: listed.array.bytes[listed.array.ranges[$0]])
            }
            return String(decoding: array, as: UTF8.self)
        }
        #expect(
            try array(page, fields)
                == #"[{"type":"physical","id":"2","isPopular":true},{"type":"physical","id":"1","isPopular":false}]"#)
        #expect(try array(index.page(of: ProductsQuery())) == String(decoding: listed.array.list, as: UTF8.self))
        #expect(try array(index.page(of: ProductsQuery(ids: [])), fields) == "[]")
    }
}
