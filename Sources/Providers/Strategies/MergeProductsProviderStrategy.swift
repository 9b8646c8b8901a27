internal import Concurrency
public import Configuration
internal import CoreMetrics
public import Logging
public import Products

/// Several catalogues as one, in order.
///
/// All providers are asked at once; cancelling the caller cancels them all. The joined catalogue is made anew only when
/// one of them has changed. What a provider gets as the last good snapshot is its own last part, never the joined
/// catalogue, beside which every part would look shrunken. Where the parts vary by request headers, both are kept for
/// each variant.
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

    private let name: String
    private let parts: [Part]
    private let duplicates: MergeDuplicates
    private let onFailure: MergeFailurePolicy
    private let journal: MergeJournal
    private let last: MergeLastParts
    private let refusals: RefusalMeter

    /// Joins the catalogues of `parts`, of which there must be one at least.
    ///
    /// - Parameters:
    ///   - name: the node's name on trails and in the log.
    ///   - variations: how the providers' answers vary.
    ///   - logger: told which part fails, and how many products share their ids with others.
    public convenience init(
        name: String = "merge", parts: [Part], duplicates: MergeDuplicates = .first,
        onFailure: MergeFailurePolicy = .fail, variations: [RequestVariation] = [],
        logger: Logger = Logger(label: "merge") { _ in SwiftLogNoOpLogHandler() }
    ) {
        self.init(
            name: name, parts: parts, duplicates: duplicates, onFailure: onFailure,
            last: MergeLastParts(division: RequestDivision(variations), identities: parts.map { .label($0.name) }),
            logger: logger)
    }

    /// Joins the catalogues of `parts`, and goes on from what they gave last.
    init(
        name: String, parts: [Part], duplicates: MergeDuplicates, onFailure: MergeFailurePolicy,
        last: MergeLastParts, logger: Logger, metrics: (any MetricsFactory)? = nil
    ) {
        precondition(!parts.isEmpty, "nothing to merge")
        self.name = name
        self.parts = parts
        self.duplicates = duplicates
        self.onFailure = onFailure
        self.last = last
        refusals = RefusalMeter(metrics)
        journal = MergeJournal(provider: name, logger: logger)
    }

    /// The joined catalogue; the failure of a provider, or of the first of them where the failing ones are left out and
    /// all fail.
    public func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let key = last.division.key(of: request)
        let outcomes = try await ask(request, key)
        let joined = MergeParts(answers: outcomes.compactMap { try? $0.get() })
        if joined.answers.isEmpty, case .failure(let failure)? = outcomes.first { throw failure }
        let (catalogue, step) = try await catalogue(of: joined.catalogues, key)
        let snapshot = ProductsSnapshot(catalogue: catalogue, fetchedAt: joined.fetchedAt, origin: joined.origin)
        let steps = zip(parts, outcomes).flatMap(Self.steps)
        return ProductsAnswer(
            snapshot: snapshot, trail: steps + [TrailStep(node: name, outcome: step)], freshness: joined.freshness)
    }

    /// What became of asking each provider, in their order.
    private func ask(_ request: ProductsRequest, _ key: RequestDivision.Key) async throws -> [Outcome] {
        let lastGood = last.good(key)
        let outcomes = try await withThrowingTaskGroup(of: (Int, Outcome).self) { group in
            for (index, part) in parts.enumerated() {
                var request = request
                request.lastGood = lastGood[index]
                group.addTask { [self, request] in (index, try await ask(part, request, key)) }
            }
            return try await group.reduce(into: [Int: Outcome]()) { $0[$1.0] = $1.1 }
        }
        let good = outcomes.compactMapValues { outcome in
            (try? outcome.get()).flatMap { $0.failure == nil ? $0.snapshot : nil }
        }
        last.keep(good, for: key)
        return parts.indices.compactMap { outcomes[$0] }
    }

    /// A cancellation is no failure, and nothing is left out for it.
    private func ask(
        _ part: Part, _ request: ProductsRequest, _ key: RequestDivision.Key
    ) async throws -> Outcome {
        do {
            let answer = try await part.provider.products(for: request)
            journal.noteSuccess(of: part.name, for: key)
            return .success(answer)
        } catch {
            let failure = ProductsFailure(error)
            journal.note(failure, of: part.name, for: key)
            guard failure != .cancelled else { throw error }
            guard onFailure == .omit else { throw failure.within(part: part.name) }
            return .failure(failure.within(part: part.name))
        }
    }

    private func catalogue(
        of catalogues: [Catalogue], _ key: RequestDivision.Key
    ) async throws -> (Catalogue, TrailOutcome) {
        let revisions = catalogues.map(\.revision)
        if let same = last.catalogue(of: revisions, for: key) { return (same, .unchanged) }
        let filled = catalogues.filter { !$0.products.isEmpty }
        let joined =
            if filled.count < 2, let only = filled.first ?? catalogues.first {
                only
            } else {
                try await offLoop { [duplicates, refusals] in
                    try refusals.counting { try Catalogue(products: duplicates.joined(filled)) }
                }
            }
        journal.note(duplicates: filled.reduce(0) { $0 + $1.products.count } - joined.products.count, for: key)
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

extension MergeProductsProviderStrategy {
    /// `type: merge` in the `providers:` section.
    public static let spec = ComponentSpec<ProviderFamily>(
        type: "merge",
        summary: "several catalogues as one, in order",
        fields: [
            .required("providers", .components(ProviderFamily.self), "the providers that are asked, all at once"),
            .defaulted(
                "duplicates", .choice(MergeDuplicates.self), "first",
                "whose product counts when several have one id; reject refuses the catalogue"),
            .defaulted(
                "on_failure", .choice(MergeFailurePolicy.self), "fail",
                "whether a provider that fails is left out, products and all, or nothing is answered; a catalogue from "
                    + "which one is left out is not saved by caching"),
        ],
        example: """
            { type: merge, providers: [{ type: http, request: { base_url: "http://books.example" } }, \
            { type: http, request: { base_url: "http://toys.example" } }] }
            """,
        plan: { reader in
            let plans = reader.components("providers", ProviderFamily.self)
            if plans.isEmpty, reader.has("providers") {
                reader.report(.error, at: "providers", "\"providers\": expected one provider at least")
            }
            let duplicates = reader.choice("duplicates", MergeDuplicates.self)
            let onFailure = reader.choice("on_failure", MergeFailurePolicy.self)
            let name = reader.name
            let division = RequestDivision(plans.flatMap(\.outline.variations))
            let identities = plans.map { MergePartIdentity($0.outline) }
            return { assembly in
                let last = assembly.state { previous in
                    MergeLastParts(division: division, identities: identities, following: previous)
                }
                return MergeProductsProviderStrategy(
                    name: name,
                    parts: try plans.indices.map { index in
                        let plan = plans[index]
                        return Part(
                            name: plan.outline.label ?? "\(plan.name)[\(index)]",
                            provider: try plan.instantiate(in: assembly))
                    }, duplicates: duplicates, onFailure: onFailure, last: last,
                    logger: assembly.resource(Logger.self),
                    metrics: assembly.optionalResource((any MetricsFactory).self))
            }
        })
}
