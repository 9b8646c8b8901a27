package import Concurrency
package import Health
package import Logging
internal import Querying

/// Reports the declared members that do not fit the catalogue, as ``CatalogueIndex/doubts(making:)`` describes them.
package final class IndexDoubts: TroubleReporting {
    private let book: TroubleBook
    /// The names of the members with a doubt in the catalogue before, and whether an index was checked.
    private let known = Mutex<Set<String>?>(nil)

    package init(wallClock: WallClock, logger: Logger) {
        book = TroubleBook(wallClock: wallClock, logger: logger)
    }

    package var troubles: [Trouble] { book.troubles }

    /// Checks the index of a catalogue that comes into force. The first one, and those behind a doubt, are made for that;
    /// others are checked as far as queries want them.
    func check(_ index: CatalogueIndex) {
        let causes = index.doubts(making: known.withLock { $0?.isEmpty != true })
        let gone = known.withLock { known in
            defer { known = Set(causes.keys) }
            return (known ?? []).subtracting(causes.keys)
        }
        for (name, cause) in causes { book.record(.index, cause, named: name, lines: Self.lines) }
        for name in gone { book.record(.index, nil, named: name, lines: Self.lines) }
    }

    private static let lines = TroubleBook.Lines(
        begin: "a declared member does not fit the catalogue", end: "a declared member fits the catalogue again")
}
