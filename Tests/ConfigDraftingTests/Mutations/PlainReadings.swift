internal import JSON

extension PlainReading {
    private static func variants(
        _ variants: String..., amount: String, scale: Scale = .none, currency: [String] = []
    ) -> Amounts {
        Amounts(variants: variants, paths: [amount], scale: scale, currency: currency)
    }

    /// The amounts of variants that have one for each of many currencies and groups.
    private static func fitting(
        _ variants: [String], list: String, amount: String, scale: Scale, currency: String, code: String,
        without members: [String]
    ) -> Amounts {
        Amounts(
            variants: variants, paths: [], scale: scale,
            choice: { variant in
                let prices = values(list, in: variant).flatMap { $0.array ?? [$0] }
                let fitting = prices.filter { price in
                    values(currency, in: price).contains(.string(code))
                        && members.allSatisfy { values($0, in: price).allSatisfy(isBlank) }
                }
                return fitting.flatMap { values(amount, in: $0) }
            })
    }

    private static func isBlank(_ value: JSONValue) -> Bool {
        value == "" || value.array?.isEmpty == true || value.object?.isEmpty == true
    }

    private static func own(_ paths: String..., scale: Scale = .none, currency: [String] = []) -> Amounts {
        Amounts(paths: paths, scale: scale, currency: currency)
    }

    private static let money = Amounts(paths: ["sale_price", "price"], isMoney: true)
    private static let groups = ["customerGroup", "country", "channel"]

    /// The readings of the catalogues of `Tests/Catalogues`, by name.
    static let all: [String: PlainReading] = [
        "bigcommerce": PlainReading(
            items: "data", amounts: own("calculated_price"),
            otherwise: variants("variants", amount: "calculated_price"),
            currency: "USD"),
        "commercetools-products": PlainReading(
            items: "results", names: ["masterData.current.name.en"],
            amounts: fitting(
                ["masterData.current.masterVariant", "masterData.current.variants"], list: "prices",
                amount: "value.centAmount",
                scale: .currency, currency: "value.currencyCode", code: "EUR", without: groups), currency: "EUR"),
        "commercetools-projections": PlainReading(
            items: "results", names: ["name.en"],
            amounts: fitting(
                ["masterVariant", "variants"], list: "prices", amount: "value.centAmount", scale: .currency,
                currency: "value.currencyCode", code: "EUR", without: groups), currency: "EUR"),
        "dummyjson": PlainReading(items: "products", names: ["title"], amounts: own("price"), currency: "USD"),
        "fakestore": PlainReading(items: "", names: ["title"], amounts: own("price"), currency: "USD"),
        "google-merchant-rss": PlainReading(
            items: "", id: "g:id", names: ["g:title"],
            amounts: Amounts(paths: ["g:sale_price", "g:price"], isMoney: true)),
        "google-merchant-tsv": PlainReading(items: "", names: ["title"], amounts: money),
        "magento2": PlainReading(
            items: "", amounts: own("price"), currency: "AED", conditions: [("status", ["1"])]),
        "medusa-v1": PlainReading(
            items: "products", names: ["title"],
            amounts: fitting(
                ["variants"], list: "prices", amount: "amount", scale: .currency, currency: "currency_code",
                code: "usd",
                without: ["price_list_id"]), currency: "USD"),
        "medusa-v2": PlainReading(
            items: "products", names: ["title"],
            amounts: fitting(
                ["variants"], list: "prices", amount: "amount", scale: .none, currency: "currency_code", code: "eur",
                without: ["rules"]), currency: "EUR"),
        "openai-csv": PlainReading(
            items: "", names: ["title"], amounts: money, conditions: [("enable_search", ["true"])]),
        "prestashop-xml": PlainReading(items: "", names: [], amounts: own("price"), currency: "EUR"),
        "saleor": PlainReading(
            items: "data.products.edges", item: "node",
            amounts: own(
                "pricing.priceRange.start.gross.amount", currency: ["pricing.priceRange.start.gross.currency"])),
        "shopify-admin": PlainReading(
            items: "", names: ["title"], amounts: variants("variants", amount: "price"), currency: "USD"),
        "shopify-listings": PlainReading(
            items: "", id: "product_id", names: ["title"], amounts: variants("variants", amount: "price"),
            currency: "USD"),
        "shopify-products-json": PlainReading(
            items: "products", names: ["title"], amounts: variants("variants", amount: "price"), currency: "INR"),
        "shopify-storefront-graphql": PlainReading(
            items: "data.shop.products.edges", item: "node", names: ["title"],
            amounts: variants("variants.edges.*.node", amount: "price"), currency: "USD"),
        "shopware6": PlainReading(
            items: "elements", names: ["translated.name", "name"], amounts: own("calculatedPrice.unitPrice"),
            currency: "EUR"),
        "spree-v1": PlainReading(items: "products", amounts: own("price"), currency: "USD"),
        "spree-v2": PlainReading(
            items: "data", names: ["attributes.name"],
            amounts: own("attributes.price", currency: ["attributes.currency"])),
        "spree-v2-included": PlainReading(
            items: "data", names: ["attributes.name"],
            amounts: own("attributes.price", currency: ["attributes.currency"]),
            // The variant beside the item has this one.
            otherwise: Amounts(paths: [], currency: ["attributes.currency"], choice: { _ in ["38.99"] }),
            isJoined: true),
        "spree-v3": PlainReading(items: "data", amounts: own("price.amount", currency: ["price.currency"])),
        "square": PlainReading(
            items: "objects", names: ["item_data.name"],
            amounts: variants(
                "item_data.variations", amount: "item_variation_data.price_money.amount", scale: .currency,
                currency: ["item_variation_data.price_money.currency"]), conditions: [("type", ["ITEM"])],
            isJoined: true),
        "stripe": PlainReading(
            items: "data",
            amounts: Amounts(
                paths: ["prices.*.unit_amount"], picksLeast: true, scale: .currency, currency: ["prices.*.currency"]),
            conditions: [("active", ["true"])]),
        "vendure": PlainReading(
            items: "data.products.items",
            amounts: variants("variants", amount: "priceWithTax", scale: .currency, currency: ["currencyCode"])),
        "woocommerce-csv": PlainReading(
            items: "", id: "ID", names: ["Name"], amounts: own("Sale price", "Regular price"), currency: "USD",
            conditions: [("Published", ["1"]), ("Type", ["simple", "simple, downloadable, virtual", "variation"])]),
        "woocommerce-store": PlainReading(
            items: "",
            amounts: own(
                "prices.price", scale: .path("prices.currency_minor_unit"), currency: ["prices.currency_code"])),
        "woocommerce-v3": PlainReading(items: "", amounts: own("price"), currency: "USD"),
    ]
}
