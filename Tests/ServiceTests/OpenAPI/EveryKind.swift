import Products

/// Products of every kind, as an upstream has them.
enum EveryKind {
    /// Those that have all that their kinds have.
    static func whole(_ name: String = "Mug") -> [String] {
        let more = #""sales":250,"description":"","imageURL":"/a.png","category":"Kitchen""#
        let inner = [product(8, "physical", name), product(9, "digital", name)]
        return [
            product(1, "physical", name, more, #""weight":0.3,"dimensions":{"width":1,"height":2,"depth":3.5}"#),
            product(2, "digital", name, more, #""downloadURL":"/a","size":4096"#),
            product(3, "subscription", name, more, #""interval":"month","trialDays":3"#),
            product(4, "bundle", name, more, #""products":[\#(inner[0])],"addOn":\#(inner[1])"#),
            product(5, "giftCard", name, more, #""denominations":[10,25.5]"#),
        ]
    }

    /// Those that have as little as their kinds allow.
    static func bare(_ name: String = "Mug") -> [String] {
        [
            product(11, "physical", name), product(12, "digital", name),
            product(13, "subscription", name, #""interval":"year""#),
            product(14, "bundle", name, #""products":[]"#), product(15, "giftCard", name, #""denominations":[]"#),
        ]
    }

    /// One of a kind that is not known here.
    static func other(_ name: String = "Mug") -> String { product(6, "hologram", name, #""depth":"none""#) }

    static func decoded(_ items: [String]) throws -> [any Product] {
        Array(try NativeCatalogueDecoder().decode(Array("[\(items.joined(separator: ","))]".utf8)).products)
    }

    private static func product(_ id: Int, _ type: String, _ name: String, _ members: String...) -> String {
        let common = #""type":"\#(type)","id":"\#(id)","name":"\#(name) \#(id)""#
        let price = #""price":{"amount":19.90,"currency":"EUR","net":16.7}"#
        return "{\(([common, price] + members).joined(separator: ","))}"
    }
}
