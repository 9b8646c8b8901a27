internal import Concurrency
internal import FileSystem
internal import FoundationEssentials
package import Products

/// Keeps products over a restart: a saver from which the last saved snapshot can be read again.
///
/// No answer waits for its save. Both ways to save go to one place. The store gives a snapshot from the call of
/// `saveLater` on, before it is on the disk; if its save fails, the store gives again what was saved before it.
package protocol ProductsStore: ProductsProvider, ProductsSaver, CatalogueOffering {
    /// Saves the snapshot in the background after the saves before it, unless a newer one replaces it meanwhile. Never
    /// waits; the store reports failures.
    func saveLater(_ snapshot: ProductsSnapshot)
    /// Yields when memories have to follow: another catalogue is pinned or none any more, there is a newer one, or one that was
    /// given is damaged. Each reader has its own stream.
    var changes: AsyncStream<Void> { get }
    /// Counts the generations to step back to, the newest included, without waiting for a disk that hangs.
    /// - Returns: nil when the number is unknown at the moment.
    func generationCount() async -> Int?
    /// The time that the running save has taken so far; zero without one.
    var savingTime: Duration { get }
}

/// Keeps small files for others beside the generations of a store.
package protocol NoteKeeping: Sendable {
    /// - Returns: no bytes where there is no such file, or a longer one than the limit.
    func note(_ name: String, limit: Int) async throws -> [UInt8]
    /// Replaces a file, which outlasts a power cut when this returns.
    func keep(_ note: [UInt8], as name: String) async throws
}

/// The small files in the directory of a store. Its own thread reads and writes them, so that a disk that hangs blocks no other.
struct StoreNotes: Sendable {
    let directory: GenerationDirectory
    private let queue = BlockingQueue("larder store notes")
    private static let patience = Duration.seconds(5)

    init(directory: GenerationDirectory) { self.directory = directory }

    func read(_ name: String, limit: Int) async throws -> [UInt8] {
        let path = "\(directory.path)/\(name)"
        let result = await queue.run(within: Self.patience) {
            Result { () throws(FileSystemError) -> [UInt8] in
                do throws(FileSystemError) {
                    return try Files.read(path, limit: limit)
                } catch  where error.isNotFound || error.isTooLarge {
                    return []
                }
            }
        }
        guard let result else {
            throw ProductsFailure.storeFailed(detail: "\(directory.path) does not answer", answered: false)
        }
        return try result.get()
    }

    func write(_ note: [UInt8], _ name: String) async throws {
        try await queue.run { [directory] in
            try Files.createDirectories(directory.path)
            // A save removes what interrupted writers have left, which a file under way must not be taken for.
            try directory.locked {
                try directory.replace(name, with: note, temporary: PinFile.temporaryName)
            }
        }
    }
}

/// Saves to a store in the background: `save` returns at once, and the store reports failures.
package struct BackgroundSaver: ProductsSaver {
    private let store: any ProductsStore

    package init(_ store: any ProductsStore) {
        self.store = store
    }

    package func save(_ snapshot: ProductsSnapshot) async throws {
        store.saveLater(snapshot)
    }
}
