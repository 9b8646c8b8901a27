internal import Concurrency
internal import FileSystem
internal import Health
internal import Logging
internal import Products

/// Loads the newest good generation of a directory, again only if the newest file has changed.
///
/// Blocks its thread on the disk. Concurrent loads are correct but redundant.
final class GenerationCache: Sendable {
    private struct Loaded: Sendable {
        /// Nil while the load that will set it runs.
        let identity: GenerationIdentity?
        let snapshot: ProductsSnapshot?
        /// Whether the snapshot is of that generation, and not of an older one in its place.
        var isOwn = false
    }

    private struct State: Sendable {
        var loaded: Loaded?
        var adoptions = 0
    }

    private let directory: GenerationDirectory
    private let reader: GenerationReader
    private let failures: StoreFailureMeter
    private let troubles: StoreTroubles
    private let state = Mutex(State())

    init(
        directory: GenerationDirectory, reader: GenerationReader, failures: StoreFailureMeter, troubles: StoreTroubles
    ) {
        (self.directory, self.reader, self.failures, self.troubles) = (directory, reader, failures, troubles)
    }

    /// The last snapshot loaded or adopted, unless it is known to be gone. Does not read the disk.
    var kept: ProductsSnapshot? { state.withLock { $0.loaded?.snapshot } }

    /// The newest generation as it was when it was loaded or adopted; nil if it is not good.
    var identity: GenerationIdentity? {
        state.withLock { state in state.loaded.flatMap { $0.isOwn ? $0.identity : nil } }
    }

    /// The newest good generation.
    func current() throws(ProductsFailure) -> ProductsSnapshot {
        for _ in 0..<Self.attempts {
            let adoptions = state.withLock { $0.adoptions }
            let generations = try generations()
            if let loaded = state.withLock({ $0.loaded }), let identity = loaded.identity,
                identity == generations.first.flatMap({ GenerationIdentity($0, in: directory) })
            {
                guard let snapshot = loaded.snapshot else { throw .notStored }
                return snapshot
            }
            if let snapshot = try load(generations, adoptions) { return snapshot }
        }
        throw .storeFailed(detail: "\(directory.path) changes faster than it can be read")
    }

    /// Adopts a snapshot that has just been written, so that it need not be read.
    func adopt(_ snapshot: ProductsSnapshot, as generation: GenerationName) {
        let loaded = GenerationIdentity(generation, in: directory).map {
            Loaded(identity: $0, snapshot: snapshot, isOwn: true)
        }
        state.withLock { state in
            state.loaded = loaded
            state.adoptions += 1
        }
        // The writer has listed the directory; while the upstream works, nothing else may.
        for trouble in [StoreTrouble.unreadable, .unloadable, .damaged, .stuck] { troubles.report(trouble, cause: nil) }
    }

    /// The attempts at reading files that vanish between listing and reading.
    private static let attempts = 10

    /// Keeps the result of a load, unless a newer snapshot was adopted since its start.
    private func keep(_ loaded: Loaded?, _ adoptions: Int) {
        state.withLock { state in
            if state.adoptions == adoptions { state.loaded = loaded }
        }
    }

    private func generations() throws(ProductsFailure) -> [GenerationName] {
        do throws(FileSystemError) {
            let generations = try directory.list().generations
            troubles.report(.unreadable, cause: nil)
            return generations
        } catch {
            failures.record(.unreadable)
            troubles.report(.unreadable, cause: "\(error)", ["error": "\(error)"])
            throw .storeFailed(detail: "\(error)")
        }
    }

    /// Drops a catalogue that must not be served any more.
    func drop(_ catalogue: Catalogue) {
        state.withLock { state in
            if state.loaded?.snapshot?.catalogue === catalogue { state.loaded = nil }
        }
    }

    /// Loads the newest good generation; nil if some vanished and no other is good.
    ///
    /// - Parameter adoptions: their count before the generations were listed.
    private func load(_ generations: [GenerationName], _ adoptions: Int) throws(ProductsFailure) -> ProductsSnapshot? {
        let old = kept
        keep(Loaded(identity: nil, snapshot: old), adoptions)
        var newest: GenerationIdentity?
        var unloadable: (path: String, fault: GenerationFault)?
        var unreadable: FileSystemError?
        defer { report(unloadable) }
        for generation in generations {
            // Read before the file, so that the next load detects a replacement meanwhile.
            let identity = GenerationIdentity(generation, in: directory)
            do throws(GenerationFault) {
                let snapshot = try reader.read(generation, known: old?.catalogue)
                let isOwn = newest == nil
                keep((newest ?? identity).map { Loaded(identity: $0, snapshot: snapshot, isOwn: isOwn) }, adoptions)
                return snapshot
            } catch {
                if case .unreadable(let error) = error { unreadable = error }
                if error.isGone || reader.setAside(generation, for: error) { continue }
                newest = newest ?? identity
                if !error.isDamage { unloadable = unloadable ?? (directory.path(of: generation), error) }
            }
        }
        keep(unreadable == nil ? newest.map { Loaded(identity: $0, snapshot: nil) } : nil, adoptions)
        guard let unreadable else { throw .notStored }
        guard unreadable.isNotFound else { throw .storeFailed(detail: "\(unreadable)") }
        return nil
    }

    /// Reports the newest generation that failed to load, or that none did.
    private func report(_ unloadable: (path: String, fault: GenerationFault)?) {
        troubles.report(
            .unloadable, cause: unloadable.map { "\($0.path): \($0.fault)" },
            unloadable.map { ["file": "\($0.path)", "reason": "\($0.fault)"] } ?? [:])
    }
}
