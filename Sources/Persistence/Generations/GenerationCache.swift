internal import Concurrency
internal import FileSystem
internal import Logging
internal import Products

/// Loads the newest good generation of a directory, again only when the newest file has changed.
///
/// Blocks its thread on the disk. Concurrent loads are correct but redundant.
final class GenerationCache: Sendable {
    /// The newest file and its state.
    private struct Identity: Hashable, Sendable {
        let generation: GenerationName
        let status: FileStatus
    }

    private struct Loaded: Sendable {
        /// Nil while a load runs that will set it.
        let identity: Identity?
        let snapshot: ProductsSnapshot?
    }

    private struct State: Sendable {
        var loaded: Loaded?
        var adoptions = 0
    }

    private let directory: GenerationDirectory
    private let logger: Logger
    private let failures: StoreFailureMeter
    private let movesDamaged: Bool
    private let state = Mutex(State())

    init(
        directory: GenerationDirectory, logger: Logger, failures: StoreFailureMeter, movesDamaged: Bool
    ) {
        self.directory = directory
        self.logger = logger
        self.failures = failures
        self.movesDamaged = movesDamaged
    }

    /// The snapshot that was loaded or adopted last, unless it is known to be gone. Does not read the disk.
    var kept: ProductsSnapshot? { state.withLock { $0.loaded?.snapshot } }

    /// The newest good generation.
    func current() throws(ProductsFailure) -> ProductsSnapshot {
        for _ in 0..<Self.patience {
            let adoptions = state.withLock { $0.adoptions }
            let generations = try generations()
            if let loaded = state.withLock({ $0.loaded }), let identity = loaded.identity,
                identity == generations.first.flatMap(self.identity)
            {
                guard let snapshot = loaded.snapshot else { throw .notStored }
                return snapshot
            }
            if let snapshot = try load(generations, adoptions) { return snapshot }
        }
        throw .storeFailed(detail: "\(directory.path) changes faster than it can be read")
    }

    /// Takes over a snapshot that has just been written, so that it need not be read.
    func adopt(_ snapshot: ProductsSnapshot, as generation: GenerationName) {
        let loaded = identity(generation).map { Loaded(identity: $0, snapshot: snapshot) }
        state.withLock { state in
            state.loaded = loaded
            state.adoptions += 1
        }
    }

    /// The attempts to read files that vanish between listing and reading.
    private static let patience = 10

    /// Keeps the result of a load, unless a newer snapshot was adopted since it began.
    private func keep(_ loaded: Loaded?, _ adoptions: Int) {
        state.withLock { state in
            if state.adoptions == adoptions { state.loaded = loaded }
        }
    }

    private func generations() throws(ProductsFailure) -> [GenerationName] {
        do throws(FileSystemError) {
            return try directory.list().generations
        } catch {
            failures.note(.unreadable)
            throw .storeFailed(detail: "\(error)")
        }
    }

    /// Loads the newest good generation; nil when some vanished and no other is good.
    ///
    /// - Parameter adoptions: the count before the generations were listed.
    private func load(_ generations: [GenerationName], _ adoptions: Int) throws(ProductsFailure) -> ProductsSnapshot? {
        let old = kept
        keep(Loaded(identity: nil, snapshot: old), adoptions)
        var newest: Identity?
        var unreadable: FileSystemError?
        for generation in generations {
            // Taken before the file is read: if it is replaced meanwhile, the next load notices.
            let identity = identity(generation)
            do throws(GenerationFault) {
                let snapshot = try directory.read(generation, known: old?.catalogue)
                keep((newest ?? identity).map { Loaded(identity: $0, snapshot: snapshot) }, adoptions)
                return snapshot
            } catch {
                if case .unreadable(let error) = error { unreadable = error }
                if !setAside(generation, for: error) { newest = newest ?? identity }
            }
        }
        keep(unreadable == nil ? newest.map { Loaded(identity: $0, snapshot: nil) } : nil, adoptions)
        guard let unreadable else { throw .notStored }
        guard unreadable.isNotFound else { throw .storeFailed(detail: "\(unreadable)") }
        return nil
    }

    private func identity(_ generation: GenerationName) -> Identity? {
        (try? Files.status(of: directory.path(of: generation))).map { Identity(generation: generation, status: $0) }
    }

    /// Reports a generation that cannot be loaded and, when it is damaged, moves it out of the way.
    /// - Returns: whether it is out of the way.
    func setAside(_ generation: GenerationName, for fault: GenerationFault) -> Bool {
        if let reason = StoreFailureReason(fault) { failures.note(reason) }
        var metadata: Logger.Metadata = ["file": "\(directory.path(of: generation))", "reason": "\(fault)"]
        switch fault {
        case .unreadable(let error) where error.isNotFound:
            return true
        case .unreadable, .newerFormat:
            logger.error("stored generation cannot be loaded, stepping back to an older one", metadata: metadata)
            return false
        case .damaged where !movesDamaged:
            logger.error("stored generation is damaged, stepping back to an older one", metadata: metadata)
            return false
        case .damaged:
            do {
                guard try directory.moveAside(generation) else { return false }
                metadata["moved_to"] = "\(generation.corruptFileName)"
                logger.error("stored generation is damaged, stepping back to an older one", metadata: metadata)
                return true
            } catch {
                metadata["error"] = "\(error)"
                logger.error("stored generation is damaged and cannot be moved aside", metadata: metadata)
                return false
            }
        }
    }
}
