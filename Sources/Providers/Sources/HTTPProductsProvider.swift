internal import Crypto
internal import FoundationEssentials
public import Networking
public import Products
internal import Locks

/// Asks an upstream over HTTP.
///
/// A body equal to the last one is not decoded again: the catalogue it became is given back with a new time. Decoding
/// runs off the event loops. Everything but a decodable 200 (or a 304 to a validator of our own) is a failure.
public final class HTTPProductsProvider: ProductsProvider {
    /// What the last good answer looked like.
    private struct Last: Sendable {
        var digest: SHA256Digest
        var entityTag: String?
        var catalogue: Catalogue
    }

    private let name: String
    private let fetcher: CollectionFetcher
    private let limits: HTTPClientLimits
    private let decoder: any CatalogueDecoder
    private let wallClock: WallClock
    private let last = Mutex<Last?>(nil)

    /// Makes a provider that asks with `client`.
    ///
    /// - Parameters:
    ///   - name: the node's name on trails.
    ///   - template: what is asked.
    ///   - limits: how long and how much at most.
    public init(
        name: String = "http", client: HTTPClient, template: ResolvedRequestTemplate, limits: HTTPClientLimits,
        decoder: any CatalogueDecoder = NativeCatalogueFormat(), wallClock: WallClock = .system
    ) {
        self.name = name
        fetcher = CollectionFetcher(client: client, template: template, limits: limits)
        self.limits = limits
        self.decoder = decoder
        self.wallClock = wallClock
    }

    /// Asks the upstream once.
    public func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let known = last.withLock { $0 }
        let response = try await send(validator: known?.entityTag)
        if response.status == 304, let known { return answer(known.catalogue, .unchanged) }
        guard response.status == 200 else {
            throw ProductsFailure.upstreamStatus(response.status, retryAfter: RetryAfter.seconds(in: response))
        }
        return try await offLoop { [self] in try decoded(response, known) }
    }

    private func send(validator: String?) async throws -> HTTPClientResponse {
        let validators = validator.map { [HTTPHeader("If-None-Match", $0)] } ?? []
        do {
            return try await fetcher.fetch(adding: validators)
        } catch let error as HTTPClientError {
            throw ProductsFailure(error, limits: limits)
        }
    }

    private func decoded(_ response: HTTPClientResponse, _ known: Last?) throws -> ProductsAnswer {
        let digest = SHA256.hash(data: response.body)
        let same = known.flatMap { $0.digest == digest ? $0.catalogue : nil }
        let catalogue = try same ?? Catalogue(products: decoder.products(from: response.body))
        last.withLock { $0 = Last(digest: digest, entityTag: response.headers["ETag"], catalogue: catalogue) }
        return answer(catalogue, same == nil ? .fetched : .unchanged)
    }

    private func answer(_ catalogue: Catalogue, _ outcome: TrailOutcome) -> ProductsAnswer {
        let snapshot = ProductsSnapshot(catalogue: catalogue, fetchedAt: wallClock.now(), origin: .network)
        return ProductsAnswer(snapshot: snapshot, trail: [TrailStep(node: name, outcome: outcome)])
    }
}
