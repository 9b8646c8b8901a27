internal import Concurrency
package import CoreMetrics
package import Logging
package import Products

/// Joins several catalogues into one, in order.
///
/// All providers are asked concurrently; cancelling the caller cancels them all. The catalogue is joined again only
/// when a part has changed; if the parts vary by request headers, it is kept for each variant.
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
    private let duplicates: MergeDuplicates
    private let onFailure: MergeFailurePolicy
    private let journal: MergeJournal
    private let last: MergeLastCatalogues
    private let refusals: RefusalMeter

    /// Joins the catalogues of `parts`, at least one.
    ///
    /// - Parameters:
    ///   - variations: the dependences of the providers' answers on request headers.
    ///   - logger: takes failures of parts, and the number of duplicate ids.
    package init(
        name: String = "merge", parts: [Part], duplicates: MergeDuplicates = .first,
        onFailure: MergeFailurePolicy = .fail, variations: [RequestVariation] = [],
        logger: Logger = Logger(label: "merge") { _ in SwiftLogNoOpLogHandler() },
        metrics: (any MetricsFactory)? = nil
    ) {
        precondition(!parts.isEmpty, "merge needs at least one part")
        self.name = name
        self.parts = parts
        self.duplicates = duplicates
        self.onFailure = onFailure
        last = MergeLastCatalogues(division: VariantKey(variations))
        refusals = RefusalMeter(metrics)
        journal = MergeJournal(provider: name, logger: logger)
    }

    /// Returns the joined catalogue. Throws the failure of a provider, or of the first one if failing ones are left out
    /// and all fail.
    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let key = last.division.key(of: request)
        let outcomes = try await ask(request, key)
        let joined = MergeParts(answers: outcomes.compactMap { try? $0.get() })
        if joined.answers.isEmpty, case .failure(let failure)? = outcomes.first { throw failure }
        let (catalogue, step) = try await catalogue(of: joined.catalogues, key)
        let snapshot = ProductsSnapshot(
            catalogue: catalogue, fetchedAt: joined.fetchedAt, checkedAt: joined.checkedAt, origin: joined.origin,
            source: joined.source)
        let steps = zip(parts, outcomes).flatMap(Self.steps)
        return ProductsAnswer(
            snapshot: snapshot, trail: steps + [TrailStep(node: name, outcome: step)], freshness: joined.freshness,
            standing: joined.answers.map(\.standing).max() ?? .confirmed)
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

    private func catalogue(
        of catalogues: [Catalogue], _ key: VariantKey.Key
    ) async throws -> (Catalogue, TrailOutcome) {
        let revisions = catalogues.map(\.revision)
        if let same = last.catalogue(of: revisions, for: key) { return (same, .unchanged) }
        let filled = catalogues.filter { $0.count > 0 }
        let joined =
            if filled.count < 2, let only = filled.first ?? catalogues.first {
                only
            } else {
                try await offLoop { [duplicates, refusals] in
                    try refusals.counting { try duplicates.joined(filled) }
                }
            }
        journal.record(duplicates: filled.reduce(0) { $0 + $1.count } - joined.count, for: key)
        last.keep(joined, of: revisions, for: key)
        return (joined, .fetched)
    }

    private static func steps(of part: Part, _ outcome: Outcome) -> [TrailStep] {
        switch outcome {
        case .success(let answer): answer.trail
        case .failure(let failure): [TrailStep(node: part.name, outcome: .failed(failure))]
        }
    }
}
