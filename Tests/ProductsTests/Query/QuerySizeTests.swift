import Products
import Testing

@Suite struct QuerySizeTests {
    @Test(arguments: [
        ProductsQuery(types: ["a", "b"]), ProductsQuery(categories: ["a", "b"]), ProductsQuery(ids: ["a", "b"]),
        ProductsQuery(text: "a b"), ProductsQuery(fields: ProductFields(["id", "type"])),
    ])
    func `Every text of a query counts with its bytes and its place`(query: ProductsQuery) {
        let base = ProductsQuery().approximateSize
        #expect(query.approximateSize >= base + 2 * 17)
    }

    @Test func `A long text counts with its length`() {
        let text = ExactText(String(repeating: "a", count: 5001))
        let (short, long) = (ProductsQuery(ids: ["a"]), ProductsQuery(ids: [text]))
        #expect(long.approximateSize == short.approximateSize + 5000)
    }
}
