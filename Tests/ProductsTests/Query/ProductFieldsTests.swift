import JSON
import Products
import Testing

@Suite struct ProductFieldsTests {
    private func projection(_ product: String, _ names: [String]) throws -> String {
        String(decoding: try ProductFields(names).projection(of: Array(product.utf8)[...]), as: UTF8.self)
    }

    @Test func `Chosen members keep their order and their bytes, with type and id beside them`() throws {
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
    func `What is no object is an error`(text: String) {
        #expect(throws: JSONSyntaxError.self) { try projection(text, ["id"]) }
    }

    @Test func `A page is the array of its products, whole or in part, from any encoding of the catalogue`() throws {
        let index = try makeIndex((0..<3).map { makeListed("\($0)", sales: $0 * 100) })
        let listed = ListedCatalogue(index.catalogue, popularity: index.popularity)
        let page = try index.page(of: ProductsQuery(sort: [ProductsSortKey(.sales, isDescending: true)], limit: 2))
        let fields = ProductFields(["isPopular"])
        let array = try page.array(of: listed.bytes, ranges: listed.ranges, fields: fields)
        #expect(
            String(decoding: array, as: UTF8.self)
                == #"[{"type":"physical","id":"2","isPopular":true},{"type":"physical","id":"1","isPopular":false}]"#)
        let whole = try index.page(of: ProductsQuery())
        #expect(try whole.array(of: listed.bytes, ranges: listed.ranges) == listed.bytes)
        let none = try index.page(of: ProductsQuery(ids: []))
        #expect(try none.array(of: listed.bytes, ranges: listed.ranges, fields: fields) == Array("[]".utf8))
    }
}
