package import Concurrency
package import CoreMetrics
internal import FoundationEssentials
internal import Hashing
package import Logging
package import Networking
package import Products
internal import Tracing

/// Asks an upstream over HTTP, for all its pages.
///
/// Bodies equal to the last ones are not decoded again: the answer is the last catalogue with a new time. Decoding runs
/// off the event loops. Anything but a decodable response with status 200 (or 304 to an `If-None-Match`) is a failure,
/// and so is a missing page: there is no partial catalogue.
package final class HTTPProductsProvider: ProductsProvider {
    /// The last good response.
    private struct Last: Sendable {
        var digest: SHA256Digest
        var entityTag: String?
        var catalogue: Catalogue
    }

    private let name: String
    private let label: String
    private let fetcher: CollectionFetcher
    private let pagination: any Pagination
    private let secrets: @Sendable () -> [String]
    private let decoder: any CatalogueDecoder
    private let wallClock: WallClock
    private let logger: Logger
    private let refusals: RefusalMeter
    private let last = Mutex<Last?>(nil)

    /// Makes a provider that asks with `client`.
    ///
    /// - Parameters:
    ///   - secrets: the secrets that are sent to the upstream, which it may send back and no message may hold.
    ///   - limits: the time limit of each request, and the size limit of all responses together.
    ///   - label: the node in metrics and failures; its name by default.
    package init(
        name: String = "http", client: HTTPClient, template: ResolvedRequestTemplate,
        secrets: @escaping @Sendable () -> [String] = { [] },
        pagination: any Pagination = SinglePagination(), authentication: (any Authentication)? = nil,
        limits: HTTPClientLimits, decoder: any CatalogueDecoder = NativeCatalogueDecoder(),
        wallClock: WallClock = .system, logger: Logger = Logger(label: "http") { _ in SwiftLogNoOpLogHandler() },
        metrics: (any MetricsFactory)? = nil, label: String? = nil
    ) {
        self.name = name
        self.label = label ?? name
        self.pagination = pagination
        self.secrets = secrets
        self.decoder = decoder
        self.wallClock = wallClock
        self.logger = logger
        refusals = RefusalMeter(metrics)
        fetcher = CollectionFetcher(
            client: client, template: template, authentication: authentication, itemsPaths: decoder.itemsPaths,
            limits: limits, meter: RequestMeter(provider: self.label, factory: metrics))
    }

    /// Asks the upstream once, or twice if its pages do not fit together.
    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let known = last.withLock { $0 }
        do {
            return try await pagination is SinglePagination
                ? whole(known, request.cause) : allPages(known, request.cause)
        } catch let error as HTTPClientError {
            throw located(ProductsFailure(error, limits: fetcher.limits))
        } catch let failure as ProductsFailure {
            refusals.note(failure)
            throw located(failure)
        }
    }

    private func located(_ failure: ProductsFailure) -> ProductsFailure {
        failure.from(provider: label, url: fetcher.place).redacting(secrets())
    }

    private func whole(_ known: Last?, _ cause: RequestIdentity?) async throws -> ProductsAnswer {
        let validators = known?.entityTag.map { [HTTPHeader("If-None-Match", $0)] } ?? []
        let response = try await fetcher.fetch(adding: validators + HTTPHeader.telling(of: cause))
        if response.status == 304, let known, !validators.isEmpty { return answer(known.catalogue, .unchanged) }
        guard response.status == 200 else { throw ProductsFailure(status: response) }
        guard !response.isHTML else {
            throw ProductsFailure.malformed(detail: "HTML instead of JSON at \(fetcher.place)")
        }
        return try await offLoop { [self] in
            let digest = SHA256Digest(of: response.body)
            return try answer(digest, response.headers["ETag"], known) { () throws(ProductsFailure) in
                try decoder.decode(response.body)
            }
        }
    }

    private func allPages(_ known: Last?, _ cause: RequestIdentity?) async throws -> ProductsAnswer {
        try await offLoop { [self] in
            let pages = try await AllPages(
                fetcher: fetcher, pagination: pagination, idPaths: decoder.idPaths,
                headers: HTTPHeader.telling(of: cause)
            ).read()
            return try answer(pages.digest, nil, known) { () throws(ProductsFailure) in
                try decoder.decode(items: pages.items)
            }
        }
    }

    /// Returns the answer for bodies with this digest, which are decoded only if they are not the last ones.
    private func answer(
        _ digest: SHA256Digest, _ entityTag: String?, _ known: Last?,
        decode: () throws(ProductsFailure) -> DecodedProducts
    ) throws(ProductsFailure) -> ProductsAnswer {
        if let known, known.digest == digest {
            last.withLock { $0 = Last(digest: digest, entityTag: entityTag, catalogue: known.catalogue) }
            return answer(known.catalogue, .unchanged)
        }
        let decoded = try decode()
        let catalogue = try Catalogue(products: decoded.products)
        last.withLock { $0 = Last(digest: digest, entityTag: entityTag, catalogue: catalogue) }
        logger.report(skipped: decoded.skipped, by: name, redacting: secrets())
        return answer(catalogue, .fetched)
    }

    private func answer(_ catalogue: Catalogue, _ outcome: TrailOutcome) -> ProductsAnswer {
        let snapshot = ProductsSnapshot(catalogue: catalogue, fetchedAt: wallClock.now(), origin: .network)
        return ProductsAnswer(snapshot: snapshot, trail: [TrailStep(node: name, outcome: outcome)])
    }
}

extension HTTPHeader {
    /// Returns the headers that pass a client's request on: its id and, if it has a trace, a new span of that.
    static func telling(of cause: RequestIdentity?) -> [HTTPHeader] {
        guard let cause else { return [] }
        return [HTTPHeader("X-Request-Id", cause.id)] + (cause.trace.map(telling) ?? [])
    }

    private static func telling(of trace: TraceContext) -> [HTTPHeader] {
        let parent = HTTPHeader("traceparent", trace.parent(span: .random(in: 1...UInt64.max)))
        return [parent] + (trace.state.map { [HTTPHeader("tracestate", $0)] } ?? [])
    }
}
