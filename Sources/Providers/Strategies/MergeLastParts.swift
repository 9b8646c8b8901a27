internal import Locks
internal import Products

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
