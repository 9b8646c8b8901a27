import Products

/// The catalogues of the matrix: mugs, numbered from 1.
enum Mugs {
    /// What the upstream has on a good day.
    static let all = 10
    /// What is left of it on the day that it shrinks.
    static let few = 4

    /// What catalogues of so many mugs are known by, on every machine and for ever.
    private static let revisions = [
        "496bcb75fb23dfc7c013acaa28dddd35": all,
        "342f3fca59a921533dd19c67f9885016": few,
        "4f53cda18c2baa0c0354bb5f9a3ecbe5": 0,
    ]

    /// A catalogue as an upstream sends it.
    static func json(_ count: Int) -> String {
        "[" + (1...all).prefix(count).map { item($0) }.joined(separator: ",") + "]"
    }

    /// A catalogue whose last mug has no price.
    static let unpriced = "[" + ((1..<all).map { item($0) } + [item(all, price: "")]).joined(separator: ",") + "]"

    /// A snapshot in words: `10 mugs from network, 0 s old`.
    static func description(of snapshot: ProductsSnapshot, age: Duration) -> String {
        let count = revisions[snapshot.revision]
        let isWhole = snapshot.products.map(\.id) == (1...all).prefix(count ?? 0).map { "\($0)" }
        let what = count.flatMap { isWhole ? "\($0) mugs" : nil } ?? "revision \(snapshot.revision)"
        return "\(what) from \(snapshot.origin), \(age.components.seconds) s old"
    }

    private static func item(
        _ number: Int, price: String = #","price":{"amount":1.5,"currency":"EUR"}"#
    ) -> String {
        #"{"type":"physical","id":"\#(number)","name":"Mug \#(number)"\#(price)}"#
    }
}
