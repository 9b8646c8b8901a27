internal import Concurrency
internal import FileSystem
internal import FoundationEssentials
package import Products

/// Keeps products over a restart: a saver from which the last saved snapshot can be read.
///
/// No response waits for its save. Both ways to save write to one place. The store serves a snapshot from the call of
/// `saveLater` on, before it is on disk; if its save fails, the store serves the previous one again.
package protocol ProductsStore: ProductsProvider, ProductsSaver, CatalogueOffering {
    /// Saves the snapshot in the background after the saves before it, unless a newer one replaces it meanwhile. Does
    /// not wait; the store reports failures.
    func saveLater(_ snapshot: ProductsSnapshot)
    /// Yields when memories have to refresh: the pin has changed, there is a newer catalogue, or one already served is
    /// damaged. Each reader has its own stream.
    var changes: AsyncStream<Void> { get }
    /// Counts the generations to step back to, the newest included, without waiting for a disk that hangs.
    /// - Returns: nil if the number is currently unknown.
    func generationCount() async -> Int?
    /// The time of the running save so far; zero if there is none.
    var savingTime: Duration { get }
}

/// Keeps small files for other components beside the generations of a store.
package protocol NoteKeeping: Sendable {
    /// - Returns: no bytes if there is no such file, or it is longer than the limit.
    func note(_ name: String, limit: Int) async throws -> [UInt8]
    /// Replaces a file, which survives a power cut when this returns.
    func keep(_ note: [UInt8], as name: String) async throws
}

/// The small files in the directory of a store. They have their own thread, so that a disk that hangs blocks no other.
struct StoreNotes: Sendable {
    let directory: GenerationDirectory
    private let queue = BlockingQueue("larder store notes")
    private static let timeout = Duration.seconds(5)

    init(directory: GenerationDirectory) { self.directory = directory }

    func read(_ name: String, limit: Int) async throws -> [UInt8] {
        let path = "\(directory.path)/\(name)"
        let result = await queue.run(within: Self.timeout) {
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
            // A save removes the files of interrupted writers, and must not take a file in progress for one.
            try directory.locked {
                try directory.replace(name, with: [note], temporary: PinFile.temporaryName)
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
