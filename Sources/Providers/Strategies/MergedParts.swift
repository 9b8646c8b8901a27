internal import Concurrency
internal import FoundationEssentials
internal import Logging
internal import Products

/// The answers that `merge` joins, at least one. The weakest statement of any part holds for the whole.
struct MergeParts: Sendable {
    let answers: [ProductsAnswer]

    var catalogues: [Catalogue] { answers.map(\.snapshot.catalogue) }

    var fetchedAt: Date { answers.map(\.snapshot.fetchedAt).min() ?? .distantPast }

    var checkedAt: Date { answers.map(\.snapshot.checkedAt).min() ?? .distantPast }

    var source: SourceStatement? { answers.reduce(nil) { SourceStatement.worse($0, $1.snapshot.source) } }

    /// The network if any part is from there, else the store: a file beside an upstream is a part of the catalogue and
    /// not its last resort.
    var origin: ProductsOrigin {
        let origins = Set(answers.map(\.snapshot.origin))
        return origins.contains(.network) ? .network : origins.contains(.store) ? .store : .bundled
    }

    /// The combined freshness of the parts that state one; nil if none does.
    var freshness: Freshness? {
        let stated = answers.compactMap(\.freshness)
        guard let first = stated.first else { return nil }
        return stated.dropFirst().reduce(stated.count == answers.count ? first : first.with(Self.asked)) {
            $0.combined(with: $1)
        }
    }

    /// The verdict if any part keeps no answers and so had to be asked.
    private static let asked = Freshness.Verdict.forwarded(reason: .bypass, status: nil, stored: false)
}

extension Freshness {
    fileprivate func with(_ verdict: Verdict) -> Freshness {
        Freshness(
            verdict: verdict, isOffline: isOffline, freshUntil: freshUntil, servableUntil: servableUntil,
            staleWhileRevalidate: staleWhileRevalidate, staleIfError: staleIfError,
            mayIdle: mayIdle, isLate: isLate, membersFreshUntil: membersFreshUntil, isPinned: isPinned)
    }

    /// Returns the statement for two joined answers: the first verdict that is no hit, and the shorter of all times.
    fileprivate func combined(with other: Freshness) -> Freshness {
        Freshness(
            verdict: verdict == .hit ? other.verdict : verdict, isOffline: isOffline || other.isOffline,
            freshUntil: min(freshUntil, other.freshUntil), servableUntil: min(servableUntil, other.servableUntil),
            staleWhileRevalidate: min(staleWhileRevalidate, other.staleWhileRevalidate),
            staleIfError: min(staleIfError, other.staleIfError),
            mayIdle: mayIdle || other.mayIdle, isLate: isLate || other.isLate,
            membersFreshUntil: [membersFreshUntil, other.membersFreshUntil].compactMap(\.self).min(),
            isPinned: isPinned || other.isPinned)
    }
}

/// The joined catalogues of a `merge`.
final class MergedCatalogues: Sendable {
    /// The revisions of the parts, and their catalogues while they are in use.
    private struct Layers: Hashable, Sendable {
        private struct Part: Sendable {
            weak let catalogue: Catalogue?
        }

        let revisions: [String]
        private let parts: [Part]

        init(_ catalogues: [Catalogue]) {
            (revisions, parts) = (catalogues.map(\.revision), catalogues.map { Part(catalogue: $0) })
        }

        /// Returns the catalogues with one revision replaced; nil if that is not among them, or one has been released.
        func replacing(_ revision: String, by next: Catalogue) -> [Catalogue]? {
            guard revisions.contains(revision) else { return nil }
            let replaced = zip(revisions, parts).compactMap { $0 == revision ? next : $1.catalogue }
            return replaced.count == parts.count ? replaced : nil
        }

        static func == (one: Layers, other: Layers) -> Bool { one.revisions == other.revisions }

        func hash(into hasher: inout Hasher) { hasher.combine(revisions) }
    }

    let division: VariantKey
    private let duplicates: MergeDuplicates
    private let key: String
    private let refusals: RefusalMeter
    private let journal: MergeJournal
    private let compositions = ComposedCatalogues<Layers>()

    init(
        _ duplicates: MergeDuplicates, by key: String, division: VariantKey, refusals: RefusalMeter,
        journal: MergeJournal
    ) {
        (self.duplicates, self.key, self.division) = (duplicates, key, division)
        (self.refusals, self.journal) = (refusals, journal)
    }

    /// Returns the joined catalogue. Requests that come while it is joined wait for it.
    func catalogue(
        of catalogues: [Catalogue], for variant: VariantKey.Key, isAhead: Bool = false
    ) async throws -> (catalogue: Catalogue, isNew: Bool) {
        try await compositions.catalogue(of: Layers(catalogues), for: variant, isAhead: isAhead) {
            [duplicates, key, refusals, journal] _ in
            let filled = catalogues.filter { $0.count > 0 }
            let joined =
                if filled.count < 2, let only = filled.first ?? catalogues.first {
                    only
                } else {
                    try refusals.counting { try duplicates.joined(filled, by: key) }
                }
            journal.record(duplicates: filled.reduce(0) { $0 + $1.count } - joined.count, for: variant)
            return joined
        }
    }

    /// Returns the joined catalogue if it is there.
    func composed(of catalogues: [Catalogue], for variant: VariantKey.Key) -> Catalogue? {
        compositions.composed(of: Layers(catalogues), for: variant)
    }

    /// Joins what will be served once a part is replaced.
    func derived(from next: CatalogueSignal.Change) async -> [CatalogueSignal.Change] {
        var derived: [CatalogueSignal.Change] = []
        for (variant, before) in compositions.inForce {
            guard let catalogues = before.layers.replacing(next.replaced, by: next.answer.snapshot.catalogue),
                let joined = try? await catalogue(of: catalogues, for: variant, isAhead: true).catalogue
            else { continue }
            derived.append((ProductsAnswer(snapshot: next.answer.snapshot.with(joined)), before.catalogue.revision))
        }
        return derived
    }
}

/// The choice between products with the same id, or another key, in several parts of a `merge`.
package enum MergeDuplicates: String, Sendable, CaseIterable {
    /// The earlier provider's product is kept.
    case first
    /// The later provider's product is kept, at the position of the earlier one's.
    case last
    case reject

    /// Returns the products of all catalogues, in order. Products without the key are all kept.
    ///
    /// - Throws: `refused(.duplicateID)` or `refused(.duplicateKey)` under `reject`; the latter also if two products of one
    ///   catalogue have one key.
    func joined(_ catalogues: [Catalogue], by key: String) throws(ProductsFailure) -> Catalogue {
        var chosen: [(catalogue: Int, position: Int)] = []
        var places: [String: Int] = [:]
        for (number, catalogue) in catalogues.enumerated() {
            var own: Set<String> = []
            for position in 0..<catalogue.count {
                let value = key == ProductMember.id ? catalogue.text(at: position).id : catalogue.key(key, at: position)
                guard let value else {
                    chosen.append((number, position))
                    continue
                }
                let place = places[value]
                if key != ProductMember.id, !own.insert(value).inserted || place != nil && self == .reject {
                    throw .refused(.duplicateKey(value, member: key))
                }
                if self != .reject, let place {
                    if self == .last { chosen[place] = (number, position) }
                } else {
                    places[value] = chosen.count
                    chosen.append((number, position))
                }
            }
        }
        return try Catalogue(copying: chosen.lazy.map { (catalogues[$0.catalogue], $0.position) })
    }
}

/// The reaction of `merge` to the failure of one of its providers.
package enum MergeFailurePolicy: String, Sendable, CaseIterable {
    /// The failure is thrown: there is a whole catalogue or none.
    case fail
    /// The catalogue is joined without that provider's products, and the trail names the failure.
    case omit
}

/// Logs failing parts of a `merge`, and duplicate ids among them, once per change and variant of the requests.
final class MergeJournal: Sendable {
    private struct Logged: Sendable {
        /// The tokens of the failures, by the names of the failing parts.
        var failing: [String: String] = [:]
        var duplicates = 0
    }

    typealias Key = VariantKey.Key

    private let provider: String
    private let logger: Logger
    private let logged = Mutex<[Key: Logged]>([:])

    init(provider: String, logger: Logger) {
        self.provider = provider
        self.logger = logger
    }

    /// Records that a part failed for these requests; logs it if it worked before or failed in another way.
    func record(_ failure: ProductsFailure, of part: String, for key: Key) {
        guard failure != .cancelled else { return }
        let before = logged.withLock { $0[key, default: Logged()].failing.updateValue(failure.token, forKey: part) }
        guard before != failure.token else { return }
        let details: Logger.Metadata = ["part": "\(part)", "reason": "\(failure.token)", "error": "\(failure)"]
        log(.warning, "a part of the catalogue fails", key, details)
    }

    /// Records that a part works for these requests; logs it if it failed before.
    func recordSuccess(of part: String, for key: Key) {
        guard logged.withLock({ $0[key]?.failing.removeValue(forKey: part) }) != nil else { return }
        log(.notice, "a part of the catalogue recovered", key, ["part": "\(part)"])
    }

    /// Records the number of duplicate product ids; logs it if it has changed.
    func record(duplicates count: Int, for key: Key) {
        let isChanged = logged.withLock { logged in
            defer { logged[key, default: Logged()].duplicates = count }
            return logged[key, default: Logged()].duplicates != count
        }
        if isChanged { log(.info, "products with duplicate ids omitted", key, ["items": "\(count)"]) }
    }

    private func log(_ level: Logger.Level, _ message: Logger.Message, _ key: Key, _ details: Logger.Metadata) {
        var metadata = details
        metadata["provider"] = "\(provider)"
        if !key.isEmpty { metadata["variant"] = "\(key.joined(separator: ", "))" }
        logger.log(level: level, message, metadata: metadata)
    }
}
