internal import JSON
internal import Products

/// The schemas of answers with several products.
enum PageSchemas {
    static let whole = "ProductsPage"
    static let displayed = "DisplayedProductsPage"
    static let parts = "ProductPartsPage"

    /// Every schema, by its name.
    static var all: JSONObject {
        [
            whole: .object(page(of: ProductSchemas.product, "Products as they are.")),
            displayed: .object(page(of: ProductSchemas.displayed, "Products as they are shown: with `view=display`.")),
            parts: .object(page(of: ProductSchemas.part, "Products without some members: with `fields`.")),
        ]
    }

    private static func page(of product: String, _ description: String) -> JSONObject {
        Schema.object(
            [
                .always("products", Schema.list(of: Schema.named(product)), "the products of the page, in their order"),
                .always("total", Schema.count, "how many there are on all pages together"),
                .sometimes(
                    "next", Schema.cursor, "the value of `cursor` for the next page; not there on the last page"),
            ], description)
    }
}

extension Schema {
    /// What pages give and take as `cursor`.
    static let cursor = text(matching: "^[A-Za-z0-9_-]{\(PageCursor.textLength)}$")
}
