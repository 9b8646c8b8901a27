internal import Concurrency
internal import FileSystem
internal import Health
internal import Logging
internal import Products

/// The files of a generation and their states.
struct GenerationIdentity: Hashable, Sendable {
    let generation: GenerationName
    private let status: FileStatus
    /// The state of its confirmation; nil without one.
    private let confirmation: FileStatus?

    /// Nil if the file's status cannot be read.
    init?(_ generation: GenerationName, in directory: GenerationDirectory) {
        guard let status = try? Files.status(of: directory.path(of: generation)) else { return nil }
        (self.generation, self.status) = (generation, status)
        confirmation = try? Files.status(of: "\(directory.path)/\(generation.confirmationFileName)")
    }

    /// Whether both are of the same file in the same state, whatever its confirmations.
    func isOf(_ other: GenerationIdentity?) -> Bool { generation == other?.generation && status == other?.status }
}

/// Reads the generations of a store, and sets damaged ones aside.
///
/// Products whose checksum is right are served at once, and each is checked after the first responses: a checksum is no
/// proof, since damaged memory or another program may have made it. A mark stays in the directory until the check is
/// done. If two processes died and left their marks, products are checked before they are served; so they are if no
/// mark can be made.
///
/// All calls block their thread on the disk, and run one at a time.
final class GenerationReader: Sendable {
    private struct State {
        /// The faults of files that a check found damaged.
        var damaged: [GenerationIdentity: String] = [:]
        /// The files whose products are not in the form that they declare.
        var foreign: Set<GenerationIdentity> = []
        /// The number of checks due or running.
        var pendingChecks = 0
        var isClosed = false
    }

    /// The marks of processes with unfinished checks.
    static let marks = [".unseen.1", ".unseen.2"]
    /// The delay of a check, in which the first responses are made.
    static let delay = Duration.seconds(1)

    private let directory: GenerationDirectory
    private let logger: Logger
    private let failures: StoreFailureMeter
    private let troubles: StoreTroubles
    private let movesDamaged: Bool
    private let queue: BlockingQueue
    private let clock: any Clock<Duration>
    /// Called with a catalogue that must not be served any more.
    private let onDamage = Mutex<@Sendable (Catalogue) async -> Void>({ _ in })
    private let state = Mutex(State())

    /// - Parameter queue: runs all calls.
    init(
        directory: GenerationDirectory, logger: Logger, failures: StoreFailureMeter, troubles: StoreTroubles,
        movesDamaged: Bool, queue: BlockingQueue, clock: any Clock<Duration>
    ) {
        (self.directory, self.logger, self.failures, self.troubles) = (directory, logger, failures, troubles)
        (self.movesDamaged, self.queue, self.clock) = (movesDamaged, queue, clock)
    }

    /// Sets the function that withdraws a damaged catalogue.
    func withdraw(by withdraw: @escaping @Sendable (Catalogue) async -> Void) {
        onDamage.withLock { $0 = withdraw }
    }

    /// Reads a generation.
    /// - Parameter known: returned in place of a new catalogue if the file has the same bytes.
    func read(_ generation: GenerationName, known: Catalogue?) throws(GenerationFault) -> ProductsSnapshot {
        let identity = GenerationIdentity(generation, in: directory)
        let (fault, isForeign) = state.withLock { state in
            (identity.flatMap { state.damaged[$0] }, identity.map { state.foreign.contains($0) } ?? false)
        }
        if let fault { throw .damaged(fault) }
        if isForeign { return try directory.read(generation, known: nil, isTrusted: false) }
        let snapshot = try directory.read(generation, known: known)
        guard snapshot.catalogue.isUnseen, snapshot.catalogue !== known else { return snapshot }
        guard let identity, mark() else { return try seen(snapshot, generation) }
        checkLater(snapshot, identity)
        return snapshot
    }

    /// Cancels pending checks, and removes the mark: the process has not died.
    func close() {
        let isMarked = state.withLock { state in
            defer { (state.isClosed, state.pendingChecks) = (true, 0) }
            return state.pendingChecks > 0
        }
        if isMarked { unmark() }
    }

    /// Leaves a mark for the coming checks, unless two dead processes have left theirs.
    private func mark() -> Bool {
        guard movesDamaged, !state.withLock(\.isClosed) else { return false }
        if state.withLock({ $0.pendingChecks > 0 }) { return true }
        let paths = Self.marks.map { "\(directory.path)/\($0)" }
        guard let free = paths.first(where: { !Files.exists($0) }) else { return false }
        // Not forced to disk: it has to survive the process, not the machine.
        return (try? AppendFile(path: free)) != nil
    }

    private func unmark() {
        for mark in Self.marks { try? Files.remove("\(directory.path)/\(mark)") }
    }

    /// Checks products before they are served.
    private func seen(
        _ snapshot: ProductsSnapshot, _ generation: GenerationName
    ) throws(GenerationFault) -> ProductsSnapshot {
        let isCanonical: Bool
        do { isCanonical = try snapshot.catalogue.check() } catch { throw .damaged("\(error)") }
        snapshot.catalogue.settle(isDamaged: false)
        if movesDamaged, state.withLock({ $0.pendingChecks == 0 }) { unmark() }
        return isCanonical ? snapshot : try directory.read(generation, known: nil, isTrusted: false)
    }

    private func checkLater(_ snapshot: ProductsSnapshot, _ identity: GenerationIdentity) {
        state.withLock { $0.pendingChecks += 1 }
        Task.detached(executorPreference: BackgroundExecutor.shared) { [self] in
            try? await clock.sleep(for: Self.delay)
            guard !state.withLock(\.isClosed) else { return }
            let found = Result { () throws(ProductsFailure) in try snapshot.catalogue.check() }
            if case .success(true) = found {
                snapshot.catalogue.settle(isDamaged: false)
            } else {
                await withdraw(snapshot.catalogue, identity, found)
            }
            await queue.run { [self] in
                let isLast = state.withLock { state in
                    state.pendingChecks -= state.isClosed ? 0 : 1
                    return state.pendingChecks == 0 && !state.isClosed
                }
                if isLast { unmark() }
            }
        }
    }

    /// Withdraws a catalogue that is damaged, or not in the form that its file declares.
    private func withdraw(
        _ catalogue: Catalogue, _ identity: GenerationIdentity, _ found: Result<Bool, ProductsFailure>
    ) async {
        await queue.run { [self] in
            catalogue.settle(isDamaged: true)
            switch found {
            case .success:
                state.withLock { _ = $0.foreign.insert(identity) }
                logger.warning(
                    "stored products are not in the form that the file declares, and are decoded",
                    metadata: ["file": "\(directory.path(of: identity.generation))"])
            case .failure(let failure):
                state.withLock { $0.damaged[identity] = "\(failure)" }
                _ = setAside(identity.generation, for: .damaged("\(failure)"))
            }
        }
        await onDamage.withLock { $0 }(catalogue)
    }

    /// Reports a damaged generation, and moves it aside.
    /// - Returns: whether it was moved.
    func setAside(_ generation: GenerationName, for fault: GenerationFault) -> Bool {
        if let reason = StoreFailureReason(fault) { failures.record(reason) }
        guard case .damaged = fault else { return false }
        let path = directory.path(of: generation)
        var metadata: Logger.Metadata = ["file": "\(path)", "reason": "\(fault)"]
        troubles.record(.damaged, cause: "\(path): \(fault)")
        guard movesDamaged else {
            troubles.report(.damaged, cause: "\(path): \(fault)", metadata)
            return false
        }
        do {
            guard try directory.moveAside(generation) else { return false }
            metadata["moved_to"] = "\(generation.corruptFileName)"
            logger.error("stored generation is damaged, stepping back to an older one", metadata: metadata)
            return true
        } catch {
            metadata["error"] = "\(error)"
            troubles.report(.stuck, cause: "\(path): \(error)", metadata)
            return false
        }
    }
}
