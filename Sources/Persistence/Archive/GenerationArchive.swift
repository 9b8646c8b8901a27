internal import FileSystem
package import Products

/// Lists, reads, pins and rolls back the generations of a store, for operators.
///
/// Reading changes nothing: unlike a store it moves no damaged file aside, and it makes neither directory nor file. Every
/// operation may be used while stores, also those of other processes, work on the directory. Each blocks its thread on
/// the disk and reads whole files.
package struct GenerationArchive: Sendable {
    private let directory: GenerationDirectory

    /// Opens the archive in a directory, which need not exist.
    /// - Parameter maxBytes: the bytes that its generations together may take; nil for any.
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
        for _ in 0..<Self.patience {
            let generations = try list().generations
            guard !generations.isEmpty else { throw .empty(directory: path) }
            if let number { return try snapshot(of: number, among: generations) }
            if let newest = newestUsable(of: generations) { return newest.snapshot }
            if generations == (try list().generations) { break }
        }
        throw .noneUsable(directory: path)
    }

    /// The pin that stores find; nil without one, and where its file is damaged or cannot be read.
    package var pin: CataloguePin? {
        if case .pinned(let pin) = directory.readPin() { pin } else { nil }
    }

    /// Pins a generation, in place of any other. Stores serve it from their next load on.
    package func pin(_ target: HistoryTarget, by order: OperatorOrder) throws(ProductsFailure) -> CataloguePin {
        let found = try GenerationHistory(directory: directory).pin(target, by: order, known: nil)
        if let failure = found.unwritten { throw failure }
        return found.pin
    }

    /// Takes the pin off.
    /// - Returns: the pin before; nil without one.
    package func unpin() throws(ProductsFailure) -> CataloguePin? {
        let found = try GenerationHistory(directory: directory).unpin()
        if let failure = found.unwritten { throw failure }
        return found.pin
    }

    /// Pins a generation that is older than the one in use, so that repeated calls go on backwards.
    /// - Parameter number: nil for the newest usable generation older than the first one with the products in use, which
    ///   are the pinned ones, or else the newest.
    package func rollBack(
        to number: Int? = nil, by order: OperatorOrder
    ) throws(GenerationArchiveError) -> (pin: CataloguePin, snapshot: ProductsSnapshot) {
        let generations = try list().generations
        guard !generations.isEmpty else { throw .empty(directory: path) }
        let target = try target(number, among: generations)
        do throws(ProductsFailure) {
            let (pin, snapshot, unwritten) = try GenerationHistory(directory: directory)
                .pin(.generation(target.name.number), by: order, known: target.snapshot.catalogue)
            if let unwritten { throw unwritten }
            return (pin, snapshot)
        } catch {
            throw .failed(detail: "\(error)")
        }
    }

    /// The attempts to read files that change between listing and reading.
    private static let patience = 10

    private typealias Usable = (name: GenerationName, snapshot: ProductsSnapshot)

    private func target(
        _ number: Int?, among generations: [GenerationName]
    ) throws(GenerationArchiveError) -> Usable {
        if let number {
            return (GenerationName(number: number), try snapshot(of: number, among: generations))
        }
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

    /// The lowest generation with the products of this snapshot.
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
            throw .missing(number, there: generations.map(\.number), directory: path)
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

/// Why a generation cannot be read or rolled back to.
package enum GenerationArchiveError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The directory holds no generation, or does not exist.
    case empty(directory: String)
    /// No generation has this number.
    case missing(Int, there: [Int], directory: String)
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
        case .missing(let number, let there, let directory):
            "there is no generation \(number) in \(directory), only \(Self.list(there))"
        case .unusable(let path, let fault): fault.contains(path) ? fault : "\(path): \(fault)"
        case .noneUsable(let directory): "no generation in \(directory) can be used"
        case .nothingOlder(let number, let directory):
            "no usable generation in \(directory) that is older than \(number) has other products"
        case .failed(let detail): detail
        }
    }

    private static func list(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: ", ") }
}
