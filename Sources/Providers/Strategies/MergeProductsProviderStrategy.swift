package import Concurrency
package import CoreMetrics
package import Logging
package import Products

/// Joins several catalogues into one, in order.
///
/// All providers are asked concurrently; cancelling the caller cancels them all. The catalogue is joined again only
/// when a part has changed, once for all requests and before the change is served if the time allows; if the parts vary by
/// request headers, it is kept for each variant. If all parts have a lease, so have its answers, as long as each part stays
/// fresh or stale.
///
/// Under ``MergeFailurePolicy/omit`` a catalogue can lack all products of a provider. The failure is on the trail, so
/// `caching` above does not save such a catalogue. `memory` above serves it, as `omit` demands, but keeps refreshing. A
/// `memory` around each provider serves its last products instead.
package final class MergeProductsProviderStrategy: ProductsProvider {
    /// One of the providers, with its name on trails.
    package struct Part: Sendable {
        let name: String
        let provider: any ProductsProvider

        package init(name: String, provider: any ProductsProvider) {
            self.name = name
            self.provider = provider
        }
    }

    private typealias Outcome = Result<ProductsAnswer, ProductsFailure>

    private let name: String
    private let parts: [Part]
    private let onFailure: MergeFailurePolicy
    private let wallClock: WallClock
    private let journal: MergeJournal
    private let catalogues: MergedCatalogues
    private let publications = JoinedPublications()

    /// Joins the catalogues of `parts`, at least one.
    ///
    /// - Parameters:
    ///   - key: the member by which products are the same.
    ///   - variations: the dependences of the providers' answers on request headers.
    ///   - signal: signals the catalogues that come into force below.
    ///   - logger: takes failures of parts, and the number of duplicate ids.
    package init(
        name: String = "merge", parts: [Part], duplicates: MergeDuplicates = .first, key: String = ProductMember.id,
        onFailure: MergeFailurePolicy = .fail, variations: [RequestVariation] = [], wallClock: WallClock = .system,
        signal: CatalogueSignal = CatalogueSignal(),
        logger: Logger = Logger(label: "merge") { _ in SwiftLogNoOpLogHandler() },
        metrics: (any MetricsFactory)? = nil
    ) {
        precondition(!parts.isEmpty, "merge needs at least one part")
        self.name = name
        self.parts = parts
        self.onFailure = onFailure
        self.wallClock = wallClock
        let journal = MergeJournal(provider: name, logger: logger)
        self.journal = journal
        catalogues = MergedCatalogues(
            duplicates, by: key, division: VariantKey(variations), refusals: RefusalMeter(metrics), journal: journal)
        signal.subscribe(catalogues) { await $0.derived(from: $1) }
    }

    /// Returns the joined catalogue. Throws the failure of a provider, or of the first one if failing ones are left out
    /// and all fail.
    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let key = catalogues.division.key(of: request)
        let outcomes = try await ask(request, key)
        let joined = MergeParts(answers: outcomes.compactMap { try? $0.get() })
        if joined.answers.isEmpty, case .failure(let failure)? = outcomes.first { throw failure }
        let (catalogue, isNew) = try await catalogues.catalogue(of: joined.catalogues, for: key)
        let steps = zip(parts, outcomes).flatMap(Self.steps)
        let answer = self.answer(joined, catalogue, steps, isNew ? .fetched : .unchanged)
        let leases = joined.answers.compactMap(\.lease)
        return leases.count == parts.count ? answer.leasing(lease(joining: leases, for: key)) : answer
    }

    private func answer(
        _ joined: MergeParts, _ catalogue: Catalogue, _ steps: [TrailStep], _ outcome: TrailOutcome
    ) -> ProductsAnswer {
        let snapshot = ProductsSnapshot(
            catalogue: catalogue, fetchedAt: joined.fetchedAt, checkedAt: joined.checkedAt, origin: joined.origin,
            source: joined.source)
        return ProductsAnswer(
            snapshot: snapshot, trail: steps + [TrailStep(node: name, outcome: outcome)], freshness: joined.freshness,
            standing: joined.answers.map(\.standing).max() ?? .confirmed)
    }

    /// Joins the leases of all parts; nil if one of them does not hold, or the catalogue has not been joined.
    private func lease(joining leases: [ProductsLease], for key: VariantKey.Key) -> ProductsLease? {
        let now = wallClock.now()
        let leased = leases.compactMap { $0.part(at: now) }
        let joined = MergeParts(answers: leased.map(\.answer))
        guard leased.count == parts.count, let catalogue = catalogues.composed(of: joined.catalogues, for: key) else {
            return nil
        }
        let publication = publications.publication(of: leased, leased.map(\.isStale)) {
            let answer = self.answer(joined, catalogue, joined.answers.flatMap(\.trail), .unchanged)
            return CataloguePublication(joining: leased, as: answer)
        }
        return ProductsLease(joining: leased, on: publication) { [weak self] in self?.lease(joining: $0, for: key) }
    }

    /// Asks all providers, and returns their outcomes in order.
    private func ask(_ request: ProductsRequest, _ key: VariantKey.Key) async throws -> [Outcome] {
        let outcomes = try await withThrowingTaskGroup(of: (Int, Outcome).self) { group in
            for (index, part) in parts.enumerated() {
                group.addTask { [self] in (index, try await ask(part, request, key)) }
            }
            return try await group.reduce(into: [Int: Outcome]()) { $0[$1.0] = $1.1 }
        }
        return parts.indices.compactMap { outcomes[$0] }
    }

    /// Asks one provider. A cancellation is not a failure and omits no provider.
    private func ask(
        _ part: Part, _ request: ProductsRequest, _ key: VariantKey.Key
    ) async throws -> Outcome {
        do {
            let answer = try await part.provider.products(for: request)
            journal.recordSuccess(of: part.name, for: key)
            return .success(answer)
        } catch {
            let failure = ProductsFailure(error)
            journal.record(failure, of: part.name, for: key)
            guard failure != .cancelled else { throw error }
            guard onFailure == .omit else { throw failure.within(part: part.name) }
            return .failure(failure.within(part: part.name))
        }
    }

    private static func steps(of part: Part, _ outcome: Outcome) -> [TrailStep] {
        switch outcome {
        case .success(let answer): answer.trail
        case .failure(let failure): [TrailStep(node: part.name, outcome: .failed(failure))]
        }
    }
}
