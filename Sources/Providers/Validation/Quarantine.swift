internal import Concurrency
internal import FoundationEssentials
internal import Products

/// The refused catalogues of one provider: the last decision for each variant of the requests, and the last refused
/// catalogue.
struct Quarantine: Sendable {
    /// A decision. It is valid for the same catalogue, baseline and rules.
    struct Refusal: Sendable {
        let revision: String
        /// The revision that it was compared with.
        let baseline: String?
        let rules: CatalogueRules
        let failure: ProductsFailure
        /// When the catalogue, or the one with which its hold began, was first seen.
        let since: Date
        /// `since` by the monotonic clock.
        let firstSeen: Duration

        /// When the catalogue passes by itself; nil if it does not.
        var withheldUntil: Date? {
            if case .refused(.withheld(_, let end), _) = failure { end } else { nil }
        }

        /// Whether the catalogue was withheld for long enough.
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

    /// The most bytes of a kept catalogue. A larger one is referenced weakly; usually the source retains it for its
    /// next comparison.
    private static let sizeLimit = 64 << 20

    private var refusals: [VariantKey.Key: Refusal] = [:]
    private var last: Entry?
    /// The catalogue that an operator accepted.
    private var accepted: Entry?
    /// The revision that an operator of the fleet accepted, refused here or not.
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

    /// The withheld catalogue of a variant, with its refusal; nil without one.
    func withheld(for key: VariantKey.Key) -> (catalogue: Catalogue, refusal: Refusal)? {
        guard let last, last.key == key, last.refusal.withheldUntil != nil else { return nil }
        return last.catalogue.value.map { ($0, last.refusal) }
    }

    /// The catalogue that an operator accepted for a variant.
    func accepted(for key: VariantKey.Key) -> (revision: String, catalogue: Catalogue?)? {
        accepted.flatMap { $0.key == key ? ($0.refusal.revision, $0.catalogue.value) : nil }
    }

    /// Keeps a refused catalogue in place of the last one.
    /// - Returns: whether the last refusal was another one, or there was none.
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
    /// - Parameter isNew: whether it replaces another catalogue, which ends an acceptance.
    mutating func pass(_ key: VariantKey.Key, _ revision: String, isNew: Bool) {
        if expected == revision { expected = nil }
        if !refusals.isEmpty {
            refusals[key] = nil
            if last?.key == key { last = nil }
        }
        if isNew, accepted?.key == key { accepted = nil }
    }

    /// Accepts the last refused catalogue.
    /// - Returns: whether it has this revision.
    mutating func accept(_ revision: String) -> Bool {
        guard let last, last.refusal.revision == revision else { return false }
        accepted = last
        return true
    }

    /// Sets the revision that is accepted in advance; nil for none.
    mutating func expect(_ revision: String?) {
        if accepted?.refusal.revision == expected { accepted = nil }
        expected = revision
        if let revision { _ = accept(revision) }
    }

    /// Whether this revision is accepted in advance.
    func isExpected(_ revision: String) -> Bool { expected == revision }
}

/// A strong or weak reference to a catalogue.
///
/// A weak reference slows down the object's reference counting, so it is not for catalogues that are served.
private struct CatalogueReference: Sendable {
    private let kept: Catalogue?
    private weak var watched: Catalogue?

    init(_ catalogue: Catalogue, isKept: Bool) {
        (kept, watched) = isKept ? (catalogue, nil) : (nil, catalogue)
    }

    /// The catalogue; nil when it is released.
    var value: Catalogue? { kept ?? watched }
}
