internal import Concurrency
internal import Decoding
internal import Glibc
internal import JSON
internal import Networking
internal import Products
internal import ProvidersTestSupport
internal import TestSupport

@testable internal import Upstreams

/// An upstream whose list tells ids and dates, and which has price and stock at a URL of their own for each product.
final class ExpansionShop: Sendable {
    struct Item: Sendable {
        var id: String
        var updated: String?
        var price = "1.25"
        var stock = 7
    }

    struct Reply: Sendable {
        var status = "200 OK"
        var headers = ""
        var body = ""
    }

    struct State: Sendable {
        var items: [Item] = []
        /// Whether members have a validator: their body itself.
        var isValidating = false
        /// Whether the list has one.
        var listTag: String?
        /// Replies in place of the shop's own, by target.
        var replies: [String: Reply] = [:]
        /// The targets that are never answered.
        var silent: Set<String> = []
        /// Runs when a target is asked for, whose connection then ends.
        var ends: [String: @Sendable () -> Void] = [:]
        /// The targets of members that were asked for, in order.
        var asked: [String] = []
        var underWay = 0
        var mostUnderWay = 0
        /// The number of requests under way at once that those for `/slow` wait for.
        var awaited = 0
    }

    private let state: Shared<State>

    init(_ items: [Item]) {
        state = Shared(State(items: items))
    }

    /// Products with these ids and one date.
    convenience init(_ ids: String...) {
        self.init(ids.map { Item(id: $0, updated: "monday") })
    }

    func change(_ change: @escaping @Sendable (inout State) -> Void) {
        state.withLock { change(&$0) }
    }

    /// The targets of members since the last call, in order.
    func asked() -> [String] {
        state.withLock { state in
            defer { state.asked = [] }
            return state.asked
        }
    }

    var mostUnderWay: Int { state.withLock { $0.mostUnderWay } }

    var script: @Sendable (UpstreamConnection) -> Void {
        { [self] connection in
            while let head = connection.readRequest() {
                let target = String(head.split(separator: " ")[1])
                if target == "/products" { list(head, connection) } else { member(target, head, connection) }
            }
        }
    }

    private func list(_ head: String, _ connection: UpstreamConnection) {
        let state = state.withLock { $0 }
        if let tag = state.listTag, head.contains("If-None-Match: \(tag)\r\n") {
            return connection.write("HTTP/1.1 304 Not Modified\r\n\r\n")
        }
        let items = state.items.map { item in
            let updated = item.updated.map { #","updated":"\#($0)""# } ?? ""
            return #"{"type":"physical","id":"\#(item.id)","name":"Mug","weight":1,"sales":0\#(updated)}"#
        }
        connection.respond(
            headers: state.listTag.map { "ETag: \($0)\r\n" } ?? "", body: "[\(items.joined(separator: ","))]")
    }

    private func member(_ target: String, _ head: String, _ connection: UpstreamConnection) {
        let (reply, isSilent) = state.withLock { state in
            state.asked.append(target)
            state.underWay += 1
            state.mostUnderWay = max(state.mostUnderWay, state.underWay)
            return (state.replies[target] ?? state.reply(to: target), state.silent.contains(target))
        }
        if let end = state.withLock({ $0.ends[target] }) { return end() }
        if isSilent { return connection.waitForClose() }
        if target.hasPrefix("/slow") {
            for _ in 0..<10_000 where state.withLock({ $0.mostUnderWay < $0.awaited }) { usleep(1000) }
            // Further requests come now, if the client sends more than it may.
            usleep(30_000)
        }
        let tag = state.withLock { $0.isValidating } ? "\"\(reply.body.utf8.reduce(0) { $0 &* 31 &+ Int($1) })\"" : nil
        state.withLock { $0.underWay -= 1 }
        if let tag, head.contains("If-None-Match: \(tag)\r\n") {
            return connection.write("HTTP/1.1 304 Not Modified\r\n\r\n")
        }
        connection.respond(
            status: reply.status, headers: reply.headers + (tag.map { "ETag: \($0)\r\n" } ?? ""), body: reply.body)
    }
}

extension ExpansionShop.State {
    fileprivate func reply(to target: String) -> ExpansionShop.Reply {
        let parts = target.split(separator: "/").map(String.init)
        guard parts.count == 3, let item = items.first(where: { PercentEncodedID($0.id).text == parts[1] }) else {
            return ExpansionShop.Reply(status: "404 Not Found")
        }
        return ExpansionShop.Reply(
            body: parts[2] == "price"
                ? #"{"currency":"EUR","amount":\#(item.price)}"# : #"{"available":\#(item.stock),"internal":1}"#)
    }
}

/// An id as it stands in a URL.
private struct PercentEncodedID {
    let text: String

    init(_ id: String) {
        text = QueryParameter("", id).encoded.split(separator: "=", omittingEmptySubsequences: false)[1].description
    }
}

/// An expansion of such a shop.
func makeExpansion(
    _ members: [String: String] = ["price": "/products/{id}/price"], merging: Set<String> = [],
    taking take: [String: String] = [:], concurrency: Int = 4, rate: String = "1000/s",
    timeout: Duration = .seconds(30), changedBy: String? = "updated", onFailure: ItemExpansion.FailurePolicy = .fail
) throws -> ItemExpansion {
    let expanded = try members.sorted { $0.key < $1.key }.map { name, path in
        ExpandedMember(
            name: name, url: try ItemURL(path), take: take[name].flatMap { ItemPath($0) },
            isMerged: merging.contains(name))
    }
    guard let rate = RequestRate(rate) else { preconditionFailure("no rate: \(rate)") }
    return ItemExpansion(
        members: expanded, concurrency: concurrency, rate: rate, timeout: timeout,
        changedBy: changedBy.flatMap { ItemPath($0) }.map { [$0] } ?? [], onFailure: onFailure)
}

/// Runs a test with a provider of a shop's products.
func withExpansion(
    of shop: ExpansionShop, _ expansion: ItemExpansion, limits: HTTPClientLimits = wide,
    clock: any Clock<Duration> = ContinuousClock(), log: LogRecorder = LogRecorder(),
    progress: ExpansionProgress? = nil,
    _ body: (HTTPProductsProvider, ScriptedUpstream) async throws -> Void
) async throws {
    try await withClient(against: shop.script) { client, upstream async throws in
        let decoder = NativeCatalogueDecoder()
        let source = makeSource(
            client, ListOfProducts(baseURL: upstream.url), limits: limits, itemsPaths: decoder.itemsPaths,
            idPaths: decoder.idPaths)
        let expanded = ExpandedCollectionDataSource(
            source, expansion, fetcher: HTTPCollectionFetcher(session: client), clock: clock, logger: log.logger,
            progress: progress)
        try await body(HTTPProductsProvider(source: expanded, decoder: decoder, logger: log.logger), upstream)
    }
}

/// Asks for the list with a header of its own.
private struct ListOfProducts: RequestTemplate {
    let baseURL: String
    var method: RequestMethod? { nil }
    var path: String? { "/products" }
    var parameters: [QueryParameter]? { nil }
    var headers: [HTTPHeader]? { [HTTPHeader("X-Shop", "7")] }
    var redirectOrigins: [String]? { nil }
    var body: JSONObject? { nil }
}

extension HTTPProductsProvider {
    /// The products as they are served.
    func served() async throws -> [JSONObject] {
        let encoded = try await ask().snapshot.catalogue.encoded
        return try JSONParser().parse(encoded).array?.compactMap(\.object) ?? []
    }

    /// The amounts of the prices, to the digit, in the order of the products.
    func prices() async throws -> [String] {
        try await served().map { $0["price"]?.object?["amount"]?.number?.literal ?? "none" }
    }
}
