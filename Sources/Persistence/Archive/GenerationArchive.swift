public import Configuration
import FileSystem
public import Products

/// The generations of a store as whoever looks after them sees them.
///
/// Looking changes nothing: unlike a store it moves no damaged file aside, and it makes neither directory nor file. Every
/// operation may be used while stores, also those of other processes, work on the directory. All of them wait for the
/// disk, and read whole files.
public struct GenerationArchive: Sendable {
    private let directory: GenerationDirectory

    /// The archive in a directory, which need not be there.
    public init(directory: String) {
        self.directory = GenerationDirectory(path: directory)
    }

    /// Where it is.
    public var path: String { directory.path }

    /// Whether the directory is there.
    public var isThere: Bool { Files.exists(path) }

    /// What there is. A generation that is removed while it is looked at is left out.
    /// - Throws: `failed` when the directory cannot be listed.
    public func contents() throws(GenerationArchiveError) -> ArchiveContents {
        let listing = try list()
        return ArchiveContents(
            generations: listing.generations.compactMap { StoredGeneration($0, in: directory) },
            movedAside: listing.movedAside)
    }

    /// The snapshot of a generation.
    /// - Parameter number: nil for the newest that can be used, which is the one that a store loads.
    public func snapshot(of number: Int? = nil) throws(GenerationArchiveError) -> ProductsSnapshot {
        for _ in 0..<Self.patience {
            let generations = try list().generations
            guard !generations.isEmpty else { throw .empty(directory: path) }
            if let number { return try snapshot(of: number, among: generations) }
            if let newest = newestUsable(of: generations) { return newest.snapshot }
            if generations == (try list().generations) { break }
        }
        throw .noneUsable(directory: path)
    }

    /// Makes the products of an older generation those of a new one, which is the newest then. Nothing is removed.
    ///
    /// The products keep the time at which their source confirmed them, so that their age is told as it is.
    /// - Parameter number: nil for the newest usable generation from before the products in use came first. So doing it
    ///   again goes on backwards, and not to what was just left.
    public func rollBack(to number: Int? = nil) throws(GenerationArchiveError) -> Rollback {
        // Before the lock, whose file is made where there is none.
        guard !(try list().generations.isEmpty) else { throw .empty(directory: path) }
        do {
            return try directory.locked { try rollBackLocked(to: number) }
        } catch let error as GenerationArchiveError {
            throw error
        } catch {
            throw .failed(detail: "\(error)")
        }
    }

    /// How many times the files may be others than a moment ago before that is given up.
    private static let patience = 10

    private func rollBackLocked(to number: Int?) throws -> Rollback {
        let listing = try list()
        let current = newestUsable(of: listing.generations)
        let target = try target(number, current: current, among: listing.generations)
        if let current, current.snapshot.revision == target.snapshot.revision {
            return .unneeded(newest: current.name.number)
        }
        let new = GenerationName(number: listing.highestNumber + 1)
        try directory.put(GenerationFile.reread(target.snapshot), as: new)
        return .written(new.number, from: target.name.number, target.snapshot)
    }

    private typealias Usable = (name: GenerationName, snapshot: ProductsSnapshot)

    private func target(
        _ number: Int?, current: Usable?, among generations: [GenerationName]
    ) throws(GenerationArchiveError) -> Usable {
        if let number {
            return (GenerationName(number: number), try snapshot(of: number, among: generations))
        }
        guard let current else { throw .noneUsable(directory: path) }
        let first = earliest(with: current.snapshot, among: generations) ?? current.name
        guard let other = newestUsable(of: generations.filter { $0 < first }) else {
            throw .nothingOlder(than: first.number, directory: path)
        }
        return other
    }

    /// The lowest generation that has the products of this snapshot.
    private func earliest(with snapshot: ProductsSnapshot, among generations: [GenerationName]) -> GenerationName? {
        generations.last { name in
            (try? directory.read(name, known: snapshot.catalogue))?.revision == snapshot.revision
        }
    }

    private func newestUsable(of generations: [GenerationName]) -> Usable? {
        for name in generations {
            guard let snapshot = try? directory.read(name, known: nil) else { continue }
            return (name, snapshot)
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

extension GenerationArchive {
    /// The archive of a store of a checked config; nil for what is no store that keeps generations.
    public init?(_ outline: ComponentOutline) {
        guard outline.family == StoreFamily.noun, outline.type == JSONFileProductsStore.spec.type,
            let directory = outline.settings.text("directory")
        else { return nil }
        self.init(directory: directory)
    }
}

/// What going back to an older generation came to.
public enum Rollback: Sendable {
    /// A new generation has the products of an older one.
    case written(Int, from: Int, ProductsSnapshot)
    /// Nothing was written: the newest generation that can be used has these products already.
    case unneeded(newest: Int)
}

/// Why a generation cannot be had, or not be gone back to.
public enum GenerationArchiveError: Error, Sendable, Hashable {
    /// The directory has none, or is not there.
    case empty(directory: String)
    /// There is none of this number.
    case missing(Int, there: [Int], directory: String)
    /// It is there and cannot be used.
    case unusable(path: String, fault: String)
    /// There are some, and none can be used.
    case noneUsable(directory: String)
    /// None that is older than the newest usable one has other products and can be used.
    case nothingOlder(than: Int, directory: String)
    /// The system refused.
    case failed(detail: String)
}

extension GenerationArchiveError: CustomStringConvertible {
    /// The sentence, without a full stop.
    public var description: String {
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
