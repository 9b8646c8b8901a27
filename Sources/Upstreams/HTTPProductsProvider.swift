package import Concurrency
package import CoreMetrics
package import Decoding
package import FoundationEssentials
internal import Hashing
package import Health
package import Logging
internal import Networking
package import Products
package import Text
internal import Tracing

/// Fetches all pages of an upstream over HTTP.
///
/// Unchanged bodies are not decoded again, until a value in them begins or ends to count: the answer is the last
/// catalogue with a new time. Decoding runs off the
/// event loops. Anything but a decodable response with status 200 (or 304 to an `If-None-Match`) is a failure, and so
/// is a missing page: there is no partial catalogue.
package final class HTTPProductsProvider: ProductsProvider {
    /// The last good response.
    private struct Last: Sendable {
        var digest: ContentDigest
        var entityTag: String?
        var catalogue: Catalogue
        var products: KnownProducts?
        /// The time in which the response gives these products; nil if it always does.
        var validity: Range<Date>?

        func isCurrent(at time: Date) -> Bool { validity?.contains(time) ?? true }
    }

    private let name: String
    private let label: String
    private let source: any CollectionDataSource
    private let secrets: @Sendable () -> [Secret]
    private let decoder: any CatalogueDecoder
    private let wallClock: WallClock
    private let logger: Logger
    private let refusals: RefusalMeter
    private let last = Mutex<Last?>(nil)
    private let clockOffset = Mutex(ClockOffset())

    /// Creates a provider of the products in a collection.
    ///
    /// - Parameters:
    ///   - decoder: must match the key paths of the collection.
    ///   - secrets: the secrets sent to the upstream. They are removed from messages, since the upstream may echo them.
    ///   - label: the node in metrics and failures; its name by default.
    package init(
        name: String = "http", source: any CollectionDataSource,
        decoder: any CatalogueDecoder = NativeCatalogueDecoder(), secrets: @escaping @Sendable () -> [Secret] = { [] },
        wallClock: WallClock = .system, logger: Logger = Logger(label: "http") { _ in SwiftLogNoOpLogHandler() },
        metrics: (any MetricsFactory)? = nil, label: String? = nil
    ) {
        self.name = name
        self.label = label ?? name
        self.source = source
        self.decoder = decoder
        self.secrets = secrets
        self.wallClock = wallClock
        self.logger = logger
        refusals = RefusalMeter(metrics)
    }

    /// Reads the upstream once, or twice if its pages are inconsistent.
    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        do {
            return try await answer(to: request)
        } catch let error as HTTPClientError {
            throw located(ProductsFailure(error, limits: source.collection.limits))
        } catch let failure as ProductsFailure {
            refusals.record(failure)
            throw located(failure)
        }
    }

    private func located(_ failure: ProductsFailure) -> ProductsFailure {
        failure.from(provider: label, url: source.collection.place).redacting(revealedSecrets)
    }

    private var revealedSecrets: [String] { secrets().map { $0.reveal() } }

    /// Decodes the content only if it has changed.
    private func answer(to request: ProductsRequest) async throws -> ProductsAnswer {
        let held = last.withLock { $0 }
        let known = held.flatMap { $0.isCurrent(at: wallClock.now()) ? $0 : nil }
        let headers =
            HTTPHeader.propagating(request.cause?.cause)
            + (request.revalidates ? [HTTPHeader("Cache-Control", "no-cache")] : [])
        let reading = try await read(unless: known?.entityTag, adding: headers)
        let isCurrent = known?.isCurrent(at: wallClock.now()) == true
        if let known, isCurrent, reading.content == nil || reading.content?.digest == known.digest {
            if let content = reading.content { keep(content, known.catalogue, known.products, known.validity) }
            return answer(known.catalogue, .unchanged, reading)
        }
        guard let content = reading.content else {
            // A price has begun or ended to count while the upstream confirmed the document: read it again.
            if known != nil, !isCurrent { return try await answer(to: request) }
            throw ProductsFailure.upstreamStatus(304, retryAfter: nil)
        }
        return try await offLoop { [self] in
            let recognised = isCurrent ? known : nil
            var decoded = try decoder.decode(content: content.body, knowing: recognised?.products)
            if let (header, total) = content.total {
                decoded.missingItems =
                    decoded.missingItems ?? StatedTotal.missing("header \(header)", total, of: decoded.itemCount)
            }
            let catalogue = try Catalogue(decoded)
            // Recognised items are not decoded: the time of the earlier ones holds for them.
            let validity = recognised?.validity.map { $0.clamped(to: decoded.validity ?? $0) } ?? decoded.validity
            keep(content, catalogue, KnownProducts(catalogue, from: decoded), validity)
            logger.report(decoded, isFirst: held == nil, by: name, redacting: revealedSecrets)
            return answer(catalogue, .fetched, reading)
        }
    }

    /// Reads the collection. After a failed conditional request the next one is unconditional, since the upstream or a
    /// gateway may fail on the validator.
    private func read(unless entityTag: String?, adding headers: [HTTPHeader]) async throws -> CollectionReading {
        do {
            return try await source.read(unless: entityTag, adding: headers, wallClock: wallClock)
        } catch let error where !(error is CancellationError || (error as? HTTPClientError)?.isBeforeRequest == true) {
            last.withLock { if $0?.entityTag == entityTag { $0?.entityTag = nil } }
            throw error
        }
    }

    private func keep(
        _ content: CollectionContent, _ catalogue: Catalogue, _ products: KnownProducts?, _ validity: Range<Date>?
    ) {
        let new = Last(
            digest: content.digest, entityTag: content.entityTag, catalogue: catalogue, products: products,
            validity: validity)
        last.withLock { $0 = new }
    }

    private func answer(
        _ catalogue: Catalogue, _ outcome: TrailOutcome, _ reading: CollectionReading
    ) -> ProductsAnswer {
        let now = wallClock.now()
        var confirmedAt = reading.confirmedAt
        if let offset = reading.dateOffset, clockOffset.withLock({ $0.isOfClock(offset, at: now) }) {
            confirmedAt += offset
        }
        // If the clock was set back meanwhile, the confirmation must not lie in the future.
        let snapshot = ProductsSnapshot(
            catalogue: catalogue, fetchedAt: min(now, confirmedAt), checkedAt: now, origin: .network,
            source: reading.source)
        return ProductsAnswer(snapshot: snapshot, trail: [TrailStep(node: name, outcome: outcome)])
    }
}

/// Distinguishes an upstream whose clock is slow from cached responses, whose apparent age grows over time.
struct ClockOffset: Sendable {
    /// In seconds; more than the error of a date truncated to the second.
    private static let tolerance = 2.0
    private static let leastTime = 4.0
    private var known: Double?
    private var candidate: (offset: Double, since: Date)?

    /// Whether the upstream's clock is slow by this offset: responses have appeared this old for some time.
    mutating func isOfClock(_ offset: Double, at now: Date) -> Bool {
        if let known, abs(offset - known) <= Self.tolerance { return true }
        guard let first = candidate, abs(offset - first.offset) <= Self.tolerance else {
            candidate = (offset, now)
            return false
        }
        guard now.timeIntervalSince(first.since) >= Self.leastTime else { return false }
        (known, candidate) = (offset, nil)
        return true
    }
}

extension CatalogueDecoder {
    fileprivate func decode(
        content body: CollectionContent.Body, knowing known: KnownProducts?
    ) throws(ProductsFailure) -> DecodedProducts {
        switch body {
        case .document(let bytes): try decode(bytes, knowing: known)
        case .items(let items): try decode(items: items)
        }
    }
}

extension HTTPHeader {
    /// Returns the headers that propagate a client's request id and, if it is traced, a new span of its trace.
    static func propagating(_ cause: RequestIdentity?) -> [HTTPHeader] {
        guard let cause else { return [] }
        return [HTTPHeader("X-Request-Id", cause.id)] + (cause.trace.map(propagating) ?? [])
    }

    private static func propagating(_ trace: TraceContext) -> [HTTPHeader] {
        let parent = HTTPHeader("traceparent", trace.parent(span: .random(in: 1...UInt64.max)))
        return [parent] + (trace.state.map { [HTTPHeader("tracestate", $0)] } ?? [])
    }
}

extension HTTPProductsProvider: TroubleReporting {
    /// The troubles of its source.
    package var troubles: [Trouble] { (source as? any TroubleReporting)?.troubles ?? [] }
}

extension HTTPProductsProvider: TimedProvider {
    package var isTimed: Bool { (decoder as? MappedCatalogueFormat)?.isTimed ?? false }
    package var validUntil: Date? {
        last.withLock { $0?.validity?.upperBound }.flatMap { $0 == .distantFuture ? nil : $0 }
    }
}
