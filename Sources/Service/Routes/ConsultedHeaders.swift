internal import Analytics
internal import Configuration
internal import HTTPServer
internal import Products
internal import Providers

/// Which headers of requests the providers of a graph decide by. It is found out once, so that no request is searched
/// for what nobody asks.
struct ConsultedHeaders: Sendable {
    /// By which of them answers vary.
    let variance: AnswerVariance
    /// Whether the graph counts those who ask, and so has to know who does not want it.
    let countsCallers: Bool

    /// The headers that a graph consults, given its root.
    init(_ root: ComponentOutline) {
        variance = AnswerVariance(root.variations)
        countsCallers = root.countsCallers
    }

    /// What the graph may know of an HTTP request.
    func products(_ request: HTTPRequest) -> ProductsRequest {
        var products = ProductsRequest(
            headers: variance.headers(of: request),
            analyticsOptOut: countsCallers && (request.header("Sec-GPC") == "1" || request.header("DNT") == "1"),
            cause: request)
        products.onlyIfAtHand = request.isExcess
        return products
    }
}

extension ComponentOutline {
    /// Whether the requests of callers come to what logs events. What `memory` asks is nobody's request.
    fileprivate var countsCallers: Bool {
        let memory = MemoryProductsProviderDecorator.spec.type
        guard !isProvider(memory) else { return false }
        return ([self] + providersBelow(stoppingAt: [memory])).contains(where: \.logsEvents)
    }

    /// Whether it is a provider with a sink of its own, whatever its type.
    private var logsEvents: Bool { children.contains { $0.outline.family == SinkFamily.noun } }
}
