import FoundationEssentials
import JSON
import Products
import ProductsTestSupport
import Testing

@Suite struct BundleProductTests {
    /// A bundle that holds a bundle, and so on: so many in all.
    private func nested(_ count: Int, member: (String) -> String) -> String {
        (1..<count).reduce(item("bundle", #","products":[]"#)) { inner, _ in item("bundle", ",\(member(inner))") }
    }

    private func inProducts(_ count: Int) -> String {
        nested(count) { #""products":[\#($0)]"# }
    }

    private func inAddOns(_ count: Int) -> String {
        nested(count) { #""products":[],"addOn":\#($0)"# }
    }

    private func makeBundles(_ count: Int) -> BundleProduct {
        let innermost = BundleProduct(details: makeProduct().details, products: [])
        return (1..<count).reduce(innermost) { inner, number in
            BundleProduct(
                details: makeProduct().details, products: number % 2 == 0 ? [makeProduct(), inner] : [],
                addOn: number % 2 == 0 ? nil : inner)
        }
    }

    @Test func `eight bundles may be within each other`() throws {
        for text in [inProducts(8), inAddOns(8)] {
            let product = try decodeProducts("[\(text)]")[0]
            #expect(try encode(try decodeProducts("[\(encode(product))]")[0]) == encode(product))
        }
        #expect(try Catalogue(products: [makeBundles(8)]).products.count == 1)
    }

    @Test(arguments: [9, 10, 200])
    func `more than eight are an error at the first that is too deep`(count: Int) throws {
        let path = String(repeating: ".products[0]", count: 8)
        #expect(throws: ProductsFailure.malformed(detail: "[1]\(path): bundles are nested deeper than 8")) {
            try decodeProducts("[\(item("digital")),\(inProducts(count))]")
        }
        let addOns = String(repeating: ".addOn", count: 8)
        #expect(throws: ProductsFailure.malformed(detail: "products[0]\(addOns): bundles are nested deeper than 8")) {
            try decodeProducts(#"{"products":[\#(inAddOns(count))]}"#)
        }
    }

    @Test func `bundles that are too deep are not written either`() {
        let path = "addOn.products[1].addOn.products[1].addOn.products[1].addOn.products[1]"
        for (count, outer) in [(9, path), (200, path)] {
            let bundles = count % 2 == 0 ? makeBundles(count) : makeBundles(count + 1)
            let detail = "product [0] cannot be written: \(outer): bundles are nested deeper than 8"
            #expect(throws: ProductsFailure.malformed(detail: detail)) { try Catalogue(products: [bundles]) }
        }
    }

    @Test func `what is wrong with a nested price is told with its place`() {
        let bundle = BundleProduct(
            details: makeProduct().details, products: [makeProduct()],
            addOn: GiftCardProduct(details: makeProduct().details, denominations: [1, .nan]))
        let outer = BundleProduct(details: makeProduct().details, products: [bundle])
        let detail = "product [0] cannot be written: products[0].addOn.denominations[1]: NaN is not a number"
        #expect(throws: ProductsFailure.malformed(detail: detail)) { try Catalogue(products: [outer]) }
    }

    @Test func `a product may be in a bundle and beside it`() throws {
        let mug = item("physical", id: "mug")
        let text = "[\(mug),\(item("bundle", id: "set", #","products":[\#(mug),\#(mug)],"addOn":\#(mug)"#))]"
        let catalogue = try Catalogue(products: decodeProducts(text))
        let bundle = try #require(catalogue.products.last as? BundleProduct)
        #expect(bundle.products.map(\.id) == ["mug", "mug"])
        #expect(bundle.addOn?.id == "mug")
        #expect(catalogue.position(ofID: "mug") == 0)
    }

    @Test func `attributes never stand in for members of a bundle`() throws {
        let bundle = BundleProduct(
            details: makeProduct(attributes: ["addOn": 1, "products": 2, "isPopular": true, "x": .null]).details,
            products: [])
        #expect(try encode(bundle).hasSuffix(#""sales":0,"products":[],"x":null}"#))
    }

    @Test func `other decoders and encoders will do`() throws {
        let inner = item("subscription", #","interval":"month","perks":["a",null]"#)
        let text = item("bundle", #","products":[\#(inProducts(2))],"addOn":\#(inner)"#)
        let product = try JSONDecoder().decode(BundleProduct.self, from: Data(text.utf8))
        #expect(try encode(product) == encode(try decodeProducts("[\(text)]")[0]))
        let again = try decodeProducts("[\(String(decoding: try JSONEncoder().encode(product), as: UTF8.self))]")[0]
        #expect(try encode(again) == encode(product))
    }
}
