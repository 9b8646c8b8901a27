internal import FileSystem
package import Products

/// Lists, reads and pins the generations of a store, for operators.
///
/// Reading changes nothing: unlike a store it moves no damaged file aside, and creates neither directory nor file.
/// Every operation may be used while stores, also of other processes, use the directory. Each blocks its thread on the
/// disk and reads whole files.
package struct GenerationArchive: Sendable {
    private let directory: GenerationDirectory

    /// Opens the archive in a directory, which need not exist.
    /// - Parameter maxBytes: the limit of its generations' total size; nil for none.
    package init(directory: String, maxBytes: Int? = nil) {
        self.directory = GenerationDirectory(path: directory, limit: GenerationDirectory.limit(within: maxBytes))
    }

    package var path: String { directory.path }

    package var isThere: Bool { Files.exists(path) }

    /// Reads every generation; one that is removed meanwhile is left out.
    /// - Throws: `failed` when the directory cannot be listed.
    package func contents() throws(GenerationArchiveError) -> ArchiveContents {
        let listing = try list()
        return ArchiveContents(
            generations: listing.generations.compactMap { StoredGeneration($0, in: directory) },
            movedAside: listing.movedAside, pin: pin)
    }

    /// Reads the snapshot of a generation.
    /// - Parameter number: nil for the newest usable one, which a store would load.
    package func snapshot(of number: Int? = nil) throws(GenerationArchiveError) -> ProductsSnapshot {
        for _ in 0..<Self.attempts {
            let generations = try list().generations
            guard !generations.isEmpty else { throw .empty(directory: path) }
            if let number { return try snapshot(of: number, among: generations) }
            if let newest = newestUsable(of: generations) { return newest.snapshot }
            if generations == (try list().generations) { break }
        }
        throw .noneUsable(directory: path)
    }

    /// The pin in force; nil without one, and if its file is damaged or cannot be read.
    package var pin: CataloguePin? {
        if case .pinned(let pin) = directory.readPin() { pin } else { nil }
    }

    /// Pins a generation, in place of any other. Memories of running services serve it from their next refresh on.
    /// - Parameter target: nil for the newest usable generation that is older than the first with the current products.
    ///   Those are the pinned ones, or else the newest. So repeated calls step further back.
    package func pin(
        _ target: HistoryTarget? = nil, by order: OperatorOrder
    ) throws(GenerationArchiveError) -> (pin: CataloguePin, snapshot: ProductsSnapshot) {
        let generations = try list().generations
        guard !generations.isEmpty else { throw .empty(directory: path) }
        var (wanted, known) = (target ?? .newest, nil as Catalogue?)
        switch target {
        case nil:
            let older = try previous(among: generations)
            (wanted, known) = (.generation(older.name.number), older.snapshot.catalogue)
        case .generation(let number): known = try snapshot(of: number, among: generations).catalogue
        case .newest, .revision: break
        }
        do throws(ProductsFailure) {
            let found = try GenerationHistory(directory: directory).pin(wanted, by: order, known: known)
            if let failure = found.unwritten { throw failure }
            return (found.pin, found.snapshot)
        } catch .notStored {
            throw .missing(wanted, there: generations.map(\.number), directory: path)
        } catch {
            throw .failed(detail: "\(error)")
        }
    }

    /// Removes the pin.
    /// - Returns: the pin before; nil without one.
    package func unpin() throws(GenerationArchiveError) -> CataloguePin? {
        do throws(ProductsFailure) {
            let found = try GenerationHistory(directory: directory).unpin()
            if let failure = found.unwritten { throw failure }
            return found.pin
        } catch {
            throw .failed(detail: "\(error)")
        }
    }

    /// The attempts at reading files that change between listing and reading.
    private static let attempts = 10

    private typealias Usable = (name: GenerationName, snapshot: ProductsSnapshot)

    private func previous(among generations: [GenerationName]) throws(GenerationArchiveError) -> Usable {
        let pinned = generations.first { $0.number == pin?.generation }
        guard let current = newestUsable(of: pinned.map { [$0] } ?? []) ?? newestUsable(of: generations) else {
            throw .noneUsable(directory: path)
        }
        let first = earliest(with: current.snapshot, among: generations) ?? current.name
        guard let other = newestUsable(of: generations.filter { $0 < first }) else {
            throw .nothingOlder(than: first.number, directory: path)
        }
        return other
    }

    /// The lowest generation with this snapshot's products.
    private func earliest(with snapshot: ProductsSnapshot, among generations: [GenerationName]) -> GenerationName? {
        generations.last { name in
            (try? directory.read(name, known: snapshot.catalogue))?.revision == snapshot.revision
        }
    }

    private func newestUsable(of generations: [GenerationName]) -> Usable? {
        for name in generations {
            if let snapshot = try? directory.read(name, known: nil) { return (name, snapshot) }
        }
        return nil
    }

    private func snapshot(
        of number: Int, among generations: [GenerationName]
    ) throws(GenerationArchiveError) -> ProductsSnapshot {
        guard let name = generations.first(where: { $0.number == number }) else {
            throw .missing(.generation(number), there: generations.map(\.number), directory: path)
        }
        do throws(GenerationFault) {
            return try directory.read(name, known: nil)
        } catch {
            throw .unusable(path: directory.path(of: name), fault: "\(error)")
        }
    }

    private func list() throws(GenerationArchiveError) -> GenerationDirectory.Listing {
        do throws(FileSystemError) {
            return try directory.list()
        } catch {
            throw .failed(detail: "\(error)")
        }
    }
}

/// The reason why a generation cannot be read or pinned.
package enum GenerationArchiveError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The directory contains no generation, or does not exist.
    case empty(directory: String)
    /// There is no such generation.
    case missing(HistoryTarget, there: [Int], directory: String)
    /// The generation is damaged, unreadable or of a newer format.
    case unusable(path: String, fault: String)
    /// No generation is usable.
    case noneUsable(directory: String)
    /// No usable generation older than the newest usable one has other products.
    case nothingOlder(than: Int, directory: String)
    /// The system refused.
    case failed(detail: String)

    /// The sentence, without a full stop.
    package var description: String {
        switch self {
        case .empty(let directory): "there is no generation in \(directory)"
        case .missing(let target, let there, let directory):
            "there is no generation \(target.name) in \(directory), only \(Self.list(there))"
        case .unusable(let path, let fault): fault.contains(path) ? fault : "\(path): \(fault)"
        case .noneUsable(let directory): "no generation in \(directory) can be used"
        case .nothingOlder(let number, let directory):
            "no usable generation in \(directory) that is older than \(number) has other products"
        case .failed(let detail): detail
        }
    }

    private static func list(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: ", ") }
}
