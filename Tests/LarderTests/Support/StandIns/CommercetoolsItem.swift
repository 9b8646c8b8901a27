/// A product projection as commercetools writes it: texts by language, amounts in minor units beside their digits.
struct CommercetoolsItem {
    let ware: Ware
    /// The currency by which a price was picked.
    let selected: CommercetoolsCurrency?

    var id: String { "080feded-4f74-4d31-9309-f7ef6b7f1\(ware.number + 100)" }

    var json: String {
        #"""
        {
          "id": "\#(id)",
          "version": 3,
          "key": "ware-\#(ware.number)",
          "createdAt": "1970-01-01T00:00:00.001Z",
          "lastModifiedAt": "2014-01-07T15:25:50.034Z",
          "productType": {"typeId": "product-type", "id": "1c095f1b-e638-4c7e-86c4-c58df873fca6"},
          "name": {"de": "Ware \#(ware.number)", "en": \#(ware.name.json)},
          \#(description)
          "slug": {"en": "ware_\#(ware.number)"},
          "categories": [{"typeId": "category", "id": "a5f3c6e0-5b1d-4d0c-8d0f-3f3f0a9c7b11"}],
          "categoryOrderHints": {},
          "searchKeywords": {},
          "hasStagedChanges": false,
          "published": true,
          "masterVariant": {
            "id": 1,
            "sku": "WARE-\#(ware.number)",
            "prices": [\#(prices.joined(separator: ", "))],
            \#(price)
            "images": [\#(image)],
            "attributes": [{"name": "text1", "value": {"it": "uno", "de": "eins", "en": "one"}}],
            "assets": []
          },
          "variants": [{"id": 2, "sku": "WARE-\#(ware.number)-2", "prices": [\#(prices.joined(separator: ", "))]}],
          "taxCategory": {"typeId": "tax-category", "id": "f3a1c0de-91b2-4a53-8f0e-0d6f5e4b3c2a"},
          "priceMode": "Embedded",
          "attributes": []
        }
        """#
    }

    /// Some products have none, some only in a language that the config does not want.
    private var description: String {
        switch ware.number % 3 {
        case 0: ""
        case 1: #""description": {"de": "Wozu Nummer \#(ware.number) gut ist."},"#
        default: #""description": {"de": "Gut.", "en": "What number \#(ware.number) is good for."},"#
        }
    }

    /// Some products cost fractions of what the minor unit can tell.
    var isPrecise: Bool { ware.number.isMultiple(of: 11) }

    func preciseAmount(_ cents: Int) -> Int { cents * 1000 + 25 }

    func preciseDigits(_ currency: CommercetoolsCurrency) -> Int { currency.digits + 3 }

    /// One for everybody in each currency, and one for the best customers only.
    private var prices: [String] {
        guard let cents = ware.cents else { return [] }
        let special = #""customerGroup": {"typeId": "customer-group", "id": "5cd5a1b8-2b0d-4a5e-9f63-8f5f4f0a77c1"},"#
        return CommercetoolsCurrency.allCases.map { price(cents, $0) } + [price(cents / 2, .euro, for: special)]
    }

    /// Only where a price was picked, and there was one to pick.
    private var price: String {
        guard let selected, let cents = ware.cents else { return "" }
        return #""price": \#(self.price(cents, selected)),"#
    }

    private func price(_ cents: Int, _ currency: CommercetoolsCurrency, for group: String = "") -> String {
        let precise = isPrecise ? #""preciseAmount": \#(preciseAmount(cents)),"# : ""
        return #"""
            {
              "id": "price-\#(ware.number)-\#(currency.rawValue)",
              \#(group)
              "value": {
                "type": "\#(isPrecise ? "highPrecision" : "centPrecision")",
                "currencyCode": "\#(currency.rawValue)",
                "centAmount": \#(cents),
                \#(precise)
                "fractionDigits": \#(isPrecise ? preciseDigits(currency) : currency.digits)
              }
            }
            """#
    }

    private var image: String {
        ware.picture.map { #"{"url": \#($0.json), "dimensions": {"w": 1400, "h": 1400}}"# } ?? ""
    }
}
