import JSON
import Products
import ProductsTestSupport
import Querying
import Testing

struct ProductCategoriesTests {
    private static func item(_ id: String, _ category: String) -> String {
        #"{"type":"physical","id":"\#(id)","name":"x","price":{"amount":1,"currency":"EUR"},"category":\#(category)}"#
    }

    private func catalogue(_ categories: [String]) throws -> Catalogue {
        let items = categories.enumerated().map { Self.item("\($0)", $1) }
        return try Catalogue(NativeCatalogueDecoder().decode(Array("[\(items.joined(separator: ","))]".utf8)))
    }

    @Test(arguments: [
        #""wear""#, #""""#, #"["wear","men"]"#, "[]", #"{"name":"Wear"}"#, #"{"id":7,"x":[1.50,null]}"#,
        #"[{"id":"7","name":"Wear","slug":"wear"},"men",{"path":["Home","Wear"]}]"#,
        #"[ "we\u0061r" , { "name" : "a" } ]"#,
    ])
    func `categories are given as they came`(category: String) throws {
        let encoded = try catalogue([category]).encoded
        let value = try JSONParser().parse(Array(category.utf8))
        #expect(String(decoding: encoded, as: UTF8.self).contains(#""category":\#(value)"#))
    }

    @Test(arguments: ["7", "true", #"["a",7]"#, #"[["a"]]"#, "{}", #"{"name":{}}"#, #"{"x":"a"}"#, #"[null]"#])
    func `what names no category is refused`(category: String) throws {
        #expect(throws: ProductsFailure.self) { try catalogue([category]) }
    }

    @Test func `a query finds a product by each of its categories, and sorts by the first`() throws {
        let catalogue = try catalogue([
            #""wear""#, #"["men","wear"]"#, #"[{"id":7,"name":"Wear"}]"#, #"{"path":["Home","wear"],"name":"b"}"#, "[]",
        ])
        let index = CatalogueIndex(catalogue, ProductsUseCase.marked(catalogue, by: PopularityRule(salesOver: 1)).marks)
        func ids(_ text: String) throws -> [String] {
            let query = try ProductsQuery(
                parsing: text.split(separator: "&").map { part in
                    let sides = part.split(separator: "=", maxSplits: 1)
                    return (name: String(sides[0]), value: String(sides[1]))
                }, limits: PageLimits())
            return try index.page(of: query).positions.map { catalogue.text(at: $0).id }
        }
        #expect(try ids("category=wear") == ["0", "1", "3"])
        #expect(try ids("category=7") == ["2"])
        #expect(try ids("category=Home,men") == ["1", "3"])
        #expect(try ids("q=wear") == ["0", "1", "2", "3"])
        #expect(try ids("sort=category") == ["3", "1", "0", "2", "4"])
    }

    @Test(arguments: [
        (#"["men","wear"]"#, "men, wear"), (#"[{"id":7,"name":"Wear"},"b"]"#, "Wear, b"),
        (#"{"path":["A","B"]}"#, "A > B"),
        (#"{"id":7}"#, "7"),
    ])
    func `one line shows them all`(category: String, line: String) throws {
        #expect(try catalogue([category]).products.first?.category?.titles.joined(separator: ", ") == line)
    }
}
