internal import Locks
public import Logging
public import Products

/// Several catalogues as one, in order.
///
/// All providers are asked at once; cancelling the caller cancels them all. The joined catalogue is made anew only when
/// one of them has changed. What a provider gets as the last good snapshot is its own last part, never the joined
/// catalogue, beside which every part would look shrunken.
///
/// Under ``MergeFailurePolicy/omit`` a catalogue can lack all products of a provider. The failure is on the trail, so
/// `caching` above does not save such a catalogue, and `memory` above goes on asking; but `memory` serves it, because
/// that is what `omit` asks for. Whoever would rather have the missing products of yesterday puts `memory` around each
/// provider that may fail.
public final class MergeProductsProviderStrategy: ProductsProvider {
    /// One of the providers, by the name that stands for it on trails.
    public struct Part: Sendable {
        let name: String
        let provider: any ProductsProvider

        /// Names a provider.
        public init(name: String, provider: any ProductsProvider) {
            self.name = name
            self.provider = provider
        }
    }

    private typealias Outcome = Result<ProductsAnswer, ProductsFailure>

    private struct Kept: Sendable {
        /// What each provider gave last, as far as it was no substitute.
        var lastGood: [ProductsSnapshot?]
        /// What was joined last, and of what.
        var revisions: [String] = []
        var catalogue: Catalogue?
    }

    private let name: String
    private let parts: [Part]
    private let duplicates: MergeDuplicates
    private let onFailure: MergeFailurePolicy
    private let journal: MergeJournal
    private let kept: Mutex<Kept>

    /// Joins the catalogues of `parts`, of which there must be one at least.
    ///
    /// - Parameters:
    ///   - name: the node's name on trails and in the log.
    ///   - logger: told which part fails, and how many products share their ids with others.
    public init(
        name: String = "merge", parts: [Part], duplicates: MergeDuplicates = .first,
        onFailure: MergeFailurePolicy = .fail,
        logger: Logger = Logger(label: "merge") { _ in SwiftLogNoOpLogHandler() }
    ) {
        precondition(!parts.isEmpty, "nothing to merge")
        self.name = name
        self.parts = parts
        self.duplicates = duplicates
        self.onFailure = onFailure
        journal = MergeJournal(provider: name, logger: logger)
        kept = Mutex(Kept(lastGood: parts.map { _ in nil }))
    }

    /// The joined catalogue; the failure of a provider, or of the first of them where the failing ones are left out and
    /// all fail.
    public func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let outcomes = try await ask(request)
        let joined = MergeParts(answers: outcomes.compactMap { try? $0.get() })
        if joined.answers.isEmpty, case .failure(let failure)? = outcomes.first { throw failure }
        let (catalogue, step) = try await catalogue(of: joined.catalogues)
        let snapshot = ProductsSnapshot(catalogue: catalogue, fetchedAt: joined.fetchedAt, origin: joined.origin)
        let steps = zip(parts, outcomes).flatMap(Self.steps)
        return ProductsAnswer(
            snapshot: snapshot, trail: steps + [TrailStep(node: name, outcome: step)], freshness: joined.freshness)
    }

    /// What became of asking each provider, in their order.
    private func ask(_ request: ProductsRequest) async throws -> [Outcome] {
        let lastGood = kept.withLock(\.lastGood)
        let outcomes = try await withThrowingTaskGroup(of: (Int, Outcome).self) { group in
            for (index, part) in parts.enumerated() {
                var request = request
                request.lastGood = lastGood[index]
                group.addTask { [self, request] in (index, try await ask(part, request)) }
            }
            return try await group.reduce(into: [Int: Outcome]()) { $0[$1.0] = $1.1 }
        }
        kept.withLock { kept in
            for case (let index, .success(let answer)) in outcomes where answer.failure == nil {
                kept.lastGood[index] = answer.snapshot
            }
        }
        return parts.indices.compactMap { outcomes[$0] }
    }

    /// A cancellation is no failure, and nothing is left out for it.
    private func ask(_ part: Part, _ request: ProductsRequest) async throws -> Outcome {
        do {
            let answer = try await part.provider.products(for: request)
            journal.noteSuccess(of: part.name)
            return .success(answer)
        } catch {
            let failure = ProductsFailure(error)
            journal.note(failure, of: part.name)
            guard onFailure == .omit, failure != .cancelled else { throw error }
            return .failure(failure)
        }
    }

    private func catalogue(of catalogues: [Catalogue]) async throws -> (Catalogue, TrailOutcome) {
        let revisions = catalogues.map(\.revision)
        let last = kept.withLock { $0.revisions == revisions ? $0.catalogue : nil }
        if let last { return (last, .unchanged) }
        let filled = catalogues.filter { !$0.products.isEmpty }
        let joined =
            if filled.count < 2, let only = filled.first ?? catalogues.first {
                only
            } else {
                try await offLoop { [duplicates] in try Catalogue(products: duplicates.joined(filled)) }
            }
        journal.note(duplicates: filled.reduce(0) { $0 + $1.products.count } - joined.products.count)
        kept.withLock { ($0.revisions, $0.catalogue) = (revisions, joined) }
        return (joined, .fetched)
    }

    private static func steps(of part: Part, _ outcome: Outcome) -> [TrailStep] {
        switch outcome {
        case .success(let answer): answer.trail
        case .failure(let failure): [TrailStep(node: part.name, outcome: .failed(failure))]
        }
    }
}
