package import Configuration
internal import GraphTools
package import HTTPServer
internal import JSON
package import OpenAPI
package import Products
internal import Providers
internal import Wiring

/// The request headers that the providers of a graph consult. Requests are not searched for others.
package struct ConsultedHeaders: Sendable {
    package let variance: ResponseVariance
    /// Whether the graph logs events of requests, and so reads opt-outs.
    let countsCallers: Bool

    /// The headers that a graph consults, given its root.
    package init(_ root: ComponentOutline) {
        variance = ResponseVariance(root.variations)
        countsCallers = root.countsCallers
    }

    /// The part of an HTTP request that the graph sees.
    package func products(_ request: HTTPRequest) -> ProductsRequest {
        var products = ProductsRequest(
            headers: variance.headers(of: request),
            analyticsOptOut: countsCallers && (request.header("Sec-GPC") == "1" || request.header("DNT") == "1"))
        products.cause = request
        return products
    }

    /// The header fields as parameters of an operation.
    package var parameters: [ParameterDescription] {
        let deciding = variance.fieldNames.map { name in
            ParameterDescription(
                name: name, place: .header, meaning: "The catalogue depends on it.",
                schema: Schema.text)
        }
        return deciding + (countsCallers ? Self.optOuts : [])
    }

    private static let optOuts = ["Sec-GPC", "DNT"].map { name in
        ParameterDescription(
            name: name, place: .header, meaning: "`1` keeps the request from being counted in analytics.",
            schema: Schema.text, example: "1")
    }
}

extension ComponentOutline {
    /// Whether requests of callers reach a provider that logs events. A refresh by `memory` has no caller.
    fileprivate var countsCallers: Bool {
        let memory = MemoryProductsProviderDecorator.spec.type
        guard !isProvider(memory) else { return false }
        return ([self] + providersBelow(stoppingAt: [memory])).contains(where: \.logsEvents)
    }

    /// Whether it is a provider with a sink of its own, whatever its type.
    private var logsEvents: Bool { children.contains { $0.outline.family == SinkFamily.noun } }
}

/// The request headers by which the responses vary. They are read from requests and listed in `Vary`.
///
/// `Vary` also lists `Accept-Encoding`, by which every response varies.
package struct ResponseVariance: Sendable {
    /// The value of `Vary`: the headers' names, sorted.
    package private(set) var vary: String
    private(set) var head: HTTPHeaderBlock
    /// The number of variants of a response.
    package let variants: Int
    /// Lower case, sorted.
    private let names: [String]
    private let variations: [RequestVariation]

    package init(_ variations: [RequestVariation]) {
        self.variations = variations
        names = Set(variations.map(\.header)).sorted()
        vary = Self.vary(names + ["accept-encoding"])
        head = Self.head(vary)
        variants = variations.reduce(1) { product, variation in
            let (variants, isTooMuch) = product.multipliedReportingOverflow(by: max(1, variation.variants.count))
            return isTooMuch ? .max : variants
        }
    }

    /// The variance of a resource that also negotiates the media type.
    package var negotiatingType: ResponseVariance { negotiating("accept") }

    /// The variance of a resource that also negotiates the language. Shared caches may keep its responses.
    var negotiatingLanguage: ResponseVariance { negotiating("accept-language") }

    private func negotiating(_ name: String) -> ResponseVariance {
        var copy = self
        copy.vary = Self.vary(names + [name, "accept-encoding"])
        copy.head = Self.head(copy.vary)
        return copy
    }

    private static func vary(_ names: [String]) -> String {
        Set(names).sorted().map(canonical).joined(separator: ", ")
    }

    /// The headers' names as in `Vary`.
    package var fieldNames: [String] { names.map(Self.canonical) }

    /// The default scope: responses that vary are private, since shared caches may not know the audiences.
    package var cacheScope: CacheScope { isNone ? .public : .private }

    /// Whether all requests get the same response.
    var isNone: Bool { names.isEmpty }

    /// The headers of a request that the graph consults. If it consults none, nothing is read.
    func headers(of request: HTTPRequest) -> [String: String] {
        names.reduce(into: Dictionary(minimumCapacity: names.count)) { $0[$1] = request.header($1) }
    }

    /// The number of the variant that a request belongs to, below `variants`.
    func variant(of request: HTTPRequest) -> Int {
        var variant = 0
        for place in variations.indices {
            let index = variations[place].index(request.header(variations[place].header))
            variant = variant &* variations[place].variants.count &+ index
        }
        return variant
    }

    /// The name with each of its words capitalised: `X-Tier`.
    private static func canonical(_ name: String) -> String {
        name.split(separator: "-", omittingEmptySubsequences: false)
            .map { $0.prefix(1).uppercased() + $0.dropFirst() }
            .joined(separator: "-")
    }

    /// A header's name is a token, so it can be a value.
    private static func head(_ vary: String) -> HTTPHeaderBlock {
        var head = HTTPHeaderBlock()
        do { try head.append("Vary", vary) } catch { preconditionFailure("\(error)") }
        return head
    }
}

/// Adds `Vary` to errors without one, since one audience may get an error where another gets a catalogue.
package struct VaryingHandler: HTTPHandler {
    private let upstream: any HTTPHandler
    private let changer: HTTPOutcomeChanger<ResponseVariance>

    private init(upstream: any HTTPHandler, _ variance: ResponseVariance) {
        self.upstream = upstream
        changer = HTTPOutcomeChanger(by: variance)
    }

    /// Wraps a handler; returns the handler itself if nothing varies.
    package static func around(_ handler: some HTTPHandler, _ variance: ResponseVariance) -> any HTTPHandler {
        variance.isNone ? handler : VaryingHandler(upstream: handler, variance)
    }

    package func respond(to request: HTTPRequest) throws -> EventualResponse {
        let outcome = Result { try upstream.respond(to: request) }
        if case .success(.ready(let response)) = outcome { return .ready(response) }
        return try changer.respond(to: request) { try outcome.get() }
    }
}

extension ResponseVariance: HTTPOutcomeChange {
    package func response(for outcome: Result<HTTPResponse, any Error>, to request: HTTPRequest) throws -> HTTPResponse
    {
        do {
            return try outcome.get()
        } catch let error as any HTTPResponseError {
            var response = error.response
            if !response.headers.contains("Vary") { response.headers.append(head) }
            return response
        }
    }
}
