import FoundationEssentials
import Products

/// The properties of every catalogue: its bytes are canonical, and say of each product what the product itself says.
struct CatalogueContents {
    private let catalogue: Catalogue

    init(_ catalogue: Catalogue) {
        self.catalogue = catalogue
    }

    func check() throws(CatalogueFault) {
        let products = Array(catalogue.products)
        let made = try? Catalogue(products: products)
        try require("products are encoded as the catalogue is", made?.encoded == catalogue.encoded)
        let reread = try? Catalogue(encoded: catalogue.encoded)
        try require("a catalogue is reread as the same", reread?.encoded == catalogue.encoded)
        try require("both have the same ranges", reread?.ranges == catalogue.ranges && made?.ranges == catalogue.ranges)
        var bytes = catalogue.encoded
        let taken = Catalogue(
            trusting: &bytes, in: catalogue.encoded.indices, count: catalogue.count, digest: catalogue.digest)
        try require("its bytes alone tell the ranges", products.isEmpty || taken?.ranges == catalogue.ranges)
        for (position, product) in products.enumerated() {
            try Self.check(catalogue.text(at: position), product)
            let found = catalogue.position(ofID: product.id)
            try require("the product is found by its id", found == position, found: product.id)
        }
    }

    private static func check(_ text: ProductText, _ product: any Product) throws(CatalogueFault) {
        func require(_ member: String, _ holds: Bool) throws(CatalogueFault) {
            try CatalogueFuzzing.require("\(member) of a text is that of the product", holds, found: product)
        }
        try require("type", same(text.typeName, product.typeName))
        try require("id", same(text.id, product.id))
        try require("name", same(text.name, product.name))
        try require("description", same(text.description, product.description))
        try require(
            "category", text.categories.map { Array($0.utf8) } == (product.category?.texts ?? []).map { Array($0.utf8) }
        )
        try require("currency", same(text.currency, product.price.currency))
        try require("amount", Decimal(string: text.amount) == product.price.amount)
        try require("sign", text.isNegative == (product.price.amount < 0))
        try require("sales", text.sales == product.sales)
        let denominations = (product as? GiftCardProduct)?.denominations ?? []
        try require("denominations", text.hasNegativeDenomination == denominations.contains { $0 < 0 })
        let inner = text.contents
        let contents = product.contents.map { $0.products + [$0.addOn].compactMap(\.self) } ?? []
        try require("contents", inner.count == contents.count)
        for (text, product) in zip(inner, contents) { try check(text, product) }
    }

    private static func same(_ left: String?, _ right: String?) -> Bool {
        left.map { Array($0.utf8) } == right.map { Array($0.utf8) }
    }
}
