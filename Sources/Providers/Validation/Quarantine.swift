internal import Concurrency
internal import FoundationEssentials
internal import Products

/// The refused catalogues of one provider: what was decided about the last one of each variant of the requests, and the
/// last one of all.
struct Quarantine: Sendable {
    /// A decision, which holds for the same catalogue as long as it is compared with the same one by the same rules.
    struct Refusal: Sendable {
        let revision: String
        /// The revision that it was compared with.
        let baseline: String?
        let rules: CatalogueRules
        let failure: ProductsFailure
        /// When the catalogue, or one that the hold goes on from, was first seen.
        let since: Date
        /// `since` by the clock that runs evenly.
        let firstSeen: Duration

        /// When the catalogue goes through by itself; nil for one that does not.
        var withheldUntil: Date? {
            if case .refused(.withheld(_, let end), _) = failure { end } else { nil }
        }

        /// Whether the catalogue was held for long enough.
        func isReleased(after hold: Duration, at uptime: Duration) -> Bool {
            withheldUntil != nil && uptime - firstSeen >= hold
        }
    }

    private struct Entry: Sendable {
        let key: VariantKey.Key
        let refusal: Refusal
        let catalogue: CatalogueReference
        let baseline: Catalogue?
    }

    /// The most bytes of a catalogue that is kept. A larger one is shown as long as somebody else holds it, usually the
    /// source, which compares the next with it.
    private static let sizeLimit = 64 << 20

    private var refusals: [VariantKey.Key: Refusal] = [:]
    private var last: Entry?
    /// The catalogue that an operator lets through.
    private var accepted: Entry?
    /// The revision that an operator of the fleet lets through, refused here or not.
    private var expected: String?

    /// The refused catalogue; nil when the last one passed.
    var shown: QuarantinedCatalogue? {
        guard let last, let catalogue = last.catalogue.value else { return nil }
        return QuarantinedCatalogue(
            catalogue, replacing: last.baseline, failure: last.refusal.failure, since: last.refusal.since,
            withheldUntil: last.refusal.withheldUntil)
    }

    /// The last decision about catalogues for a variant; nil when the last one passed.
    func refusal(for key: VariantKey.Key) -> Refusal? { refusals[key] }

    /// The catalogue that is held for a variant, and since when; nil without one.
    func withheld(for key: VariantKey.Key) -> (catalogue: Catalogue, refusal: Refusal)? {
        guard let last, last.key == key, last.refusal.withheldUntil != nil else { return nil }
        return last.catalogue.value.map { ($0, last.refusal) }
    }

    /// The catalogue that an operator lets through for a variant.
    func accepted(for key: VariantKey.Key) -> (revision: String, catalogue: Catalogue?)? {
        accepted.flatMap { $0.key == key ? ($0.refusal.revision, $0.catalogue.value) : nil }
    }

    /// Keeps a refused catalogue in place of the last one.
    /// - Returns: whether another revision was refused before, or none.
    mutating func refuse(
        _ catalogue: Catalogue, replacing baseline: Catalogue?, _ refusal: Refusal, for key: VariantKey.Key
    ) -> Bool {
        let old = refusals.updateValue(refusal, forKey: key)
        last = nil
        refuseAgain(catalogue, replacing: baseline, refusal, for: key)
        return old?.revision != refusal.revision || old?.failure.token != refusal.failure.token
    }

    /// Keeps a catalogue that was refused before, unless another one is kept.
    mutating func refuseAgain(
        _ catalogue: Catalogue, replacing baseline: Catalogue?, _ refusal: Refusal, for key: VariantKey.Key
    ) {
        guard last == nil else { return }
        last = Entry(
            key: key, refusal: refusal,
            catalogue: CatalogueReference(catalogue, isKept: catalogue.encoded.count <= Self.sizeLimit),
            baseline: baseline)
    }

    /// Ends the refusals for a variant, since a catalogue passed.
    ///
    /// - Parameter isNew: whether it was another than before; then nothing is left to accept.
    mutating func pass(_ key: VariantKey.Key, _ revision: String, isNew: Bool) {
        if expected == revision { expected = nil }
        if !refusals.isEmpty {
            refusals[key] = nil
            if last?.key == key { last = nil }
        }
        if isNew, accepted?.key == key { accepted = nil }
    }

    /// Lets the last refused catalogue through.
    /// - Returns: whether it has this revision.
    mutating func accept(_ revision: String) -> Bool {
        guard let last, last.refusal.revision == revision else { return false }
        accepted = last
        return true
    }

    /// Lets the catalogue with this revision through, in place of an expected one before; nil lets none through any more.
    mutating func expect(_ revision: String?) {
        if accepted?.refusal.revision == expected { accepted = nil }
        expected = revision
        if let revision { _ = accept(revision) }
    }

    /// Whether an operator lets the catalogue with this revision through unseen.
    func isExpected(_ revision: String) -> Bool { expected == revision }
}

/// A catalogue that is kept, or only watched while others keep it.
///
/// Watching makes every later reference to an object dearer, so it is not for catalogues that are served.
private struct CatalogueReference: Sendable {
    private let kept: Catalogue?
    private weak var watched: Catalogue?

    init(_ catalogue: Catalogue, isKept: Bool) {
        (kept, watched) = isKept ? (catalogue, nil) : (nil, catalogue)
    }

    /// The catalogue; nil when it is released.
    var value: Catalogue? { kept ?? watched }
}
