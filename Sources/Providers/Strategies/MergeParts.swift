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
