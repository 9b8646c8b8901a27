import Concurrency

/// A shop that speaks Larder's own form, in one answer, and goes down and comes back when it is told to.
struct PlainShop: ShopAPI {
    /// Whether it answers 503. Shared, so that it is the same shop for the test and for the server.
    private final class Shutter: Sendable {
        let isDown = Mutex(false)
    }

    let name: String
    /// What a request has to bear; nil where everybody may ask.
    var token: String?
    /// How many of its products another shop has under the same ids.
    var sharedCount = 0
    let isPaged = false
    let variables: [String: String] = [:]
    let secrets: [String: String] = [:]
    let privateMembers: Set<String> = []
    private let shutter = Shutter()

    init(_ name: String, token: String? = nil, sharedCount: Int = 0) {
        self.name = name
        self.token = token
        self.sharedCount = sharedCount
    }

    /// Answers every request with 503, or does so no more.
    func turn(down isDown: Bool) {
        shutter.isDown.withLock { $0 = isDown }
    }

    func answer(to request: StandInRequest, wares: [Ware]) -> StandInAnswer {
        if shutter.isDown.withLock({ $0 }) { return .refused("503 Service Unavailable", "{}") }
        if let token, request[header: "Authorization"] != "Bearer \(token)" {
            return .refused("401 Unauthorized", "{}")
        }
        guard request.method == "GET", request.path == "/products" else { return .refused("404 Not Found", "{}") }
        return StandInAnswer(body: "[" + wares.map(item).joined(separator: ",") + "]", page: 1)
    }

    func product(of ware: Ware) -> ListedProduct? {
        ListedProduct(
            id: ware.number <= sharedCount ? "both-\(ware.number)" : "\(name)-\(ware.number)",
            name: "\(ware.name) of \(name)", amount: (ware.cents ?? 0).shortAmount(), currency: "EUR")
    }

    /// All it has.
    var products: [ListedProduct] { Ware.stock().compactMap(product) }

    private func item(_ ware: Ware) -> String {
        guard let product = product(of: ware) else { return "{}" }
        return #"""
            {"type":"physical","id":\#(product.id.json),"name":\#(product.name.json),\#
            "price":{"amount":\#(product.amount),"currency":"EUR"}}
            """#
    }
}
