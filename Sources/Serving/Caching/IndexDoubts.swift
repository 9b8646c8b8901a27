package import Concurrency
package import Health
package import Logging
internal import Products
internal import Querying

/// Reports the declared members that do not fit a catalogue that is kept, as ``CatalogueIndex/doubts(making:)`` describes them.
package final class IndexDoubts: TroubleReporting {
    private let book: TroubleBook
    /// The causes by the names of the members, of each revision of each cache.
    private let found = Mutex<[ObjectIdentifier: [String: [String: String]]]>([:])

    package init(wallClock: WallClock, logger: Logger) {
        book = TroubleBook(wallClock: wallClock, logger: logger)
    }

    package var troubles: [Trouble] { book.troubles }

    /// Checks the index of a catalogue in a cache. For the first catalogue of a cache, and while there is a doubt, all
    /// parts are made for this; otherwise only the parts that queries have needed are checked.
    func check(_ index: CatalogueIndex, of cache: ListingCache) {
        guard index.catalogue.count > 0 else { return }
        let isWanted = found.withLock { found in
            found[ObjectIdentifier(cache)]?.values.allSatisfy(\.isEmpty) != true
        }
        let causes = index.doubts(making: isWanted)
        change { $0[ObjectIdentifier(cache), default: [:]][index.catalogue.revision] = causes }
    }

    /// Forgets a revision that a cache keeps no longer.
    func forget(_ revision: String, of cache: ListingCache) {
        change { $0[ObjectIdentifier(cache)]?[revision] = nil }
    }

    /// Forgets a cache.
    func forget(_ cache: ObjectIdentifier) {
        change { $0[cache] = nil }
    }

    /// Applies a change, and records the troubles that begin or end by it, in the order of the changes.
    private func change(_ change: (inout [ObjectIdentifier: [String: [String: String]]]) -> Void) {
        found.withLock { found in
            let before = Self.causes(found)
            change(&found)
            let after = Self.causes(found)
            for name in Set(before.keys).union(after.keys).sorted() {
                book.record(.index, after[name], named: name, lines: Self.lines)
            }
        }
    }

    private static func causes(_ found: [ObjectIdentifier: [String: [String: String]]]) -> [String: String] {
        found.values.flatMap(\.values).reduce(into: [:]) { all, causes in all.merge(causes) { first, _ in first } }
    }

    private static let lines = TroubleBook.Lines(
        begin: "a declared member does not fit the catalogue", end: "a declared member fits the catalogue again")
}
