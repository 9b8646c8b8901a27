internal import Concurrency
internal import Configuration
internal import FoundationEssentials
internal import Products

/// The answers of which `merge` makes one, and how they are joined; the least that can be said of all holds for the
/// whole. There is at least one.
struct MergeParts: Sendable {
    let answers: [ProductsAnswer]

    var catalogues: [Catalogue] { answers.map(\.snapshot.catalogue) }

    /// The oldest confirmation.
    var fetchedAt: Date { answers.map(\.snapshot.fetchedAt).min() ?? .distantPast }

    /// The network where any part is from there, else the store: a file beside an upstream is a part of the catalogue
    /// and not its last resort.
    var origin: ProductsOrigin {
        let origins = Set(answers.map(\.snapshot.origin))
        return origins.contains(.network) ? .network : origins.contains(.store) ? .store : .bundled
    }

    /// What the providers that keep answers say of theirs; nil when none does.
    var freshness: Freshness? {
        let stated = answers.compactMap(\.freshness)
        guard let first = stated.first else { return nil }
        return stated.dropFirst().reduce(stated.count == answers.count ? first : first.with(Self.asked)) {
            $0.combined(with: $1)
        }
    }

    /// A part of which nothing is kept was asked for, whatever the others had.
    private static let asked = Freshness.Verdict.forwarded(reason: .bypass, status: nil, stored: false)
}

extension Freshness {
    /// The same statement with another verdict.
    fileprivate func with(_ verdict: Verdict) -> Freshness {
        Freshness(
            verdict: verdict, isOffline: isOffline, freshUntil: freshUntil, servableUntil: servableUntil,
            staleWhileRevalidate: staleWhileRevalidate, staleIfError: staleIfError,
            mayIdle: mayIdle, isLate: isLate)
    }

    /// What holds for two answers joined: the first question that had to be asked, and the shorter of all times.
    fileprivate func combined(with other: Freshness) -> Freshness {
        Freshness(
            verdict: verdict == .hit ? other.verdict : verdict, isOffline: isOffline || other.isOffline,
            freshUntil: min(freshUntil, other.freshUntil), servableUntil: min(servableUntil, other.servableUntil),
            staleWhileRevalidate: min(staleWhileRevalidate, other.staleWhileRevalidate),
            staleIfError: min(staleIfError, other.staleIfError),
            mayIdle: mayIdle || other.mayIdle, isLate: isLate || other.isLate)
    }
}

/// What `merge` knows of the last time: what each part gave, and what was joined of it; for each part of the requests
/// on its own.
///
/// On a reload the successor begins with a copy of what each part gave that it still has, so a new graph is compared
/// with the same as the old one, and can be refused and leaves no trace.
final class MergeLastParts: Sendable {
    private struct Last: Sendable {
        /// As far as it was no substitute.
        var good: [ProductsSnapshot?]
        var revisions: [String] = []
        var catalogue: Catalogue?
    }

    let division: RequestDivision
    /// What tells each part from others, also after a reload.
    private let identities: [MergePartIdentity]
    private let last: Mutex<[RequestDivision.Key: Last]>

    init(division: RequestDivision, identities: [MergePartIdentity], following previous: MergeLastParts? = nil) {
        self.division = division
        self.identities = identities
        let isSame = previous?.division.identity == division.identity
        last = Mutex(isSame ? previous?.handedOn(to: identities) ?? [:] : [:])
    }

    /// What each part gave last to requests with this key.
    func good(_ key: RequestDivision.Key) -> [ProductsSnapshot?] {
        last.withLock { $0[key]?.good } ?? identities.map { _ in nil }
    }

    /// Keeps what parts gave, by their index.
    func keep(_ good: [Int: ProductsSnapshot], for key: RequestDivision.Key) {
        change(key) { last in
            for (index, snapshot) in good { last.good[index] = snapshot }
        }
    }

    /// What was joined last, if it was joined of these revisions.
    func catalogue(of revisions: [String], for key: RequestDivision.Key) -> Catalogue? {
        last.withLock { last in last[key].flatMap { $0.revisions == revisions ? $0.catalogue : nil } }
    }

    /// Keeps what was joined.
    func keep(_ catalogue: Catalogue, of revisions: [String], for key: RequestDivision.Key) {
        change(key) { ($0.revisions, $0.catalogue) = (revisions, catalogue) }
    }

    /// What a successor with these parts begins with: what each of them gave that is a part here as well.
    private func handedOn(to parts: [MergePartIdentity]) -> [RequestDivision.Key: Last] {
        let indices = parts.map { part in identities.firstIndex { $0.isSame(as: part) } }
        return last.withLock { last in
            last.mapValues { last in Last(good: indices.map { index in index.flatMap { last.good[$0] } }) }
        }
    }

    private func change(_ key: RequestDivision.Key, _ body: (inout Last) -> Void) {
        last.withLock { body(&$0[key, default: Last(good: identities.map { _ in nil })]) }
    }
}

/// What tells a part of `merge` from others, also after a reload.
enum MergePartIdentity: Sendable {
    /// A label stays with its provider, wherever in the list that is and whatever becomes of its settings.
    case label(String)
    /// Without a label there is the place in the list, where another provider may be after a reload, which must not be
    /// compared with this one; so the part is the same only as long as nothing about it has changed but its secrets.
    case place(ComponentOutline)

    /// The identity of a part that the config describes.
    init(_ part: ComponentOutline) {
        self = part.label == nil ? .place(part.withoutSecrets) : .label(part.id)
    }

    /// Whether a part of another config is this one.
    func isSame(as other: MergePartIdentity) -> Bool {
        switch (self, other) {
        case (.label(let label), .label(let otherLabel)): label == otherLabel
        case (.place(let part), .place(let otherPart)): part.isSame(as: otherPart)
        case (.label, .place), (.place, .label): false
        }
    }
}

/// Whose product it is that several providers of a `merge` have under one id.
public enum MergeDuplicates: String, Sendable, CaseIterable {
    /// The earlier provider's.
    case first
    /// The later provider's, in the place of the earlier one's.
    case last
    /// Nobody's: the catalogue is refused.
    case reject

    /// The products of all catalogues, in order. Under `reject` an id can still be there twice, which is for
    /// `Catalogue` to refuse.
    func joined(_ catalogues: [Catalogue]) -> [any Product] {
        var products: [any Product] = []
        products.reserveCapacity(catalogues.reduce(0) { $0 + $1.products.count })
        var positions: [String: Int] = [:]
        for product in catalogues.lazy.flatMap(\.products) {
            if self != .reject, let position = positions[product.id] {
                if self == .last { products[position] = product }
            } else {
                positions[product.id] = products.count
                products.append(product)
            }
        }
        return products
    }
}

/// What `merge` does when one of its providers fails.
public enum MergeFailurePolicy: String, Sendable, CaseIterable {
    /// The failure is the answer: there is a whole catalogue or none.
    case fail
    /// The catalogue is joined of what the others have, and the trail says what is missing.
    case omit
}
