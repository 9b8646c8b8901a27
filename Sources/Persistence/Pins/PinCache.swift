internal import Concurrency
internal import FileSystem
internal import Logging
internal import Products

/// Loads the pinned generation of a directory, again only when the pin has changed.
///
/// The pin itself is read at each load, since another process may change it. Its snapshot stays in memory, so damage to
/// the file is met only after a restart. Then another generation with the same products is taken, or else the newest older
/// one: a newer one is what the operator does not want. Where only newer ones are left, the pin has no effect. Everything
/// but the same products is logged as an error.
///
/// Loads block their thread on the disk, and run one at a time.
final class PinCache: Sendable {
    /// The pin and its snapshot, as far as was seen last.
    struct State: Sendable {
        /// Whether the disk was ever looked at.
        var isKnown = false
        var pin: CataloguePin?
        /// The snapshot that is served for the pin; nil where there is none.
        var snapshot: ProductsSnapshot?
        /// Why the file of the pin cannot be read; nil when it can.
        var trouble: String?
        /// Whether the snapshot of a pin is being loaded that was not seen before.
        var isLoading = false
        /// Whether the snapshot is not the pinned one.
        var isSubstitute = false
        /// The problem that was logged last, so that it is not logged at each load.
        var reported: String?
    }

    private let directory: GenerationDirectory
    private let cache: GenerationCache
    private let logger: Logger
    private let failures: StoreFailureMeter
    private let movesDamaged: Bool
    private let state = Mutex(State())

    init(
        directory: GenerationDirectory, cache: GenerationCache, logger: Logger, failures: StoreFailureMeter,
        movesDamaged: Bool
    ) {
        (self.directory, self.cache, self.logger) = (directory, cache, logger)
        (self.failures, self.movesDamaged) = (failures, movesDamaged)
    }

    /// The state at the last look at the disk.
    var kept: State { state.withLock { $0 } }

    /// Whether a snapshot is served for a pin, by the last look.
    var isServing: Bool { state.withLock { $0.snapshot != nil } }

    /// Reads the pin, and its snapshot where it is not in memory. While the pin cannot be read, the one before stays.
    func current() -> State {
        switch directory.readPin() {
        case .none: release()
        case .damaged(let detail):
            setAside(detail)
            release(reported: kept.reported)
        case .unknown(let detail):
            report("the pin cannot be read", detail, .unreadable)
            state.withLock { ($0.isKnown, $0.trouble) = (true, detail) }
        case .pinned(let pin):
            let kept = kept
            if kept.pin != pin || kept.snapshot == nil || kept.isSubstitute { load(pin, kept) }
            state.withLock { $0.trouble = nil }
        }
        return kept
    }

    /// Takes over a pin that has just been written, with its snapshot.
    func adopt(_ pin: CataloguePin, _ snapshot: ProductsSnapshot) {
        keep(State(isKnown: true, pin: pin, snapshot: snapshot))
        logger.notice("a generation is pinned", metadata: Self.metadata(of: pin))
    }

    /// Takes over that the pin was taken off.
    func release(reported: String? = nil) {
        guard let pin = keep(State(isKnown: true, reported: reported)).pin else { return }
        logger.notice("the pin was taken off", metadata: Self.metadata(of: pin))
    }

    @discardableResult private func keep(_ new: State) -> State {
        // The replaced snapshot is released without the lock.
        state.withLock { state in
            defer { state = new }
            return state
        }
    }

    private func load(_ pin: CataloguePin, _ kept: State) {
        if kept.pin != pin {
            logger.notice("a generation is pinned", metadata: Self.metadata(of: pin))
            state.withLock { ($0.isKnown, $0.isLoading) = (true, true) }
        }
        let substitute = kept.pin == pin ? kept.snapshot : nil
        var new = State(isKnown: true, pin: pin, snapshot: substitute, isSubstitute: true, reported: kept.reported)
        for name in candidates(for: pin) where name.number == pin.generation || new.snapshot == nil {
            guard let snapshot = read(name) else { continue }
            let isRight = name.number != pin.generation || holds(name, snapshot, revision: pin.revision)
            guard isRight else { continue }
            (new.snapshot, new.isSubstitute) = (snapshot, snapshot.revision != pin.revision)
            if name.number == pin.generation { new.isSubstitute = false }
            if !new.isSubstitute { break }
        }
        keep(new)
        guard new.isSubstitute else { return state.withLock { $0.reported = nil } }
        let consequence = new.snapshot == nil ? "and there is no older one, so the newest is served" : "an older one is"
        report("the pinned generation cannot be served, \(consequence)", "generation \(pin.generation)", nil)
    }

    /// Returns the generations that may be served for a pin, best first.
    private func candidates(for pin: CataloguePin) -> [GenerationName] {
        let generations = (try? directory.list().generations) ?? []
        let equals = generations.filter { name in
            name.number != pin.generation
                && GenerationFile.peekHeader(directory.peek(name))?.sha256.hasPrefix(pin.revision) == true
        }
        return generations.filter { $0.number == pin.generation } + equals
            + generations.filter { $0.number < pin.generation && !equals.contains($0) }
    }

    private func read(_ name: GenerationName) -> ProductsSnapshot? {
        do throws(GenerationFault) {
            return try directory.read(name, known: cache.kept?.catalogue)
        } catch {
            _ = cache.setAside(name, for: error)
            return nil
        }
    }

    /// Whether a generation holds the pinned products, by the revision of this version of the service or of its writer.
    private func holds(_ name: GenerationName, _ snapshot: ProductsSnapshot, revision: String) -> Bool {
        snapshot.revision == revision
            || GenerationFile.peekHeader(directory.peek(name))?.sha256.hasPrefix(revision) == true
    }

    private func setAside(_ detail: String) {
        var outcome = "it stays where it is"
        do {
            if movesDamaged, try directory.movePinAside() { outcome = "moved to \(PinFile.corruptName)" }
        } catch {
            outcome = "it cannot be moved aside: \(error)"
        }
        report("the file of the pin is damaged, nothing is pinned", "\(detail); \(outcome)", .damaged)
    }

    /// Logs and counts a problem, unless it was the last one too.
    private func report(_ message: String, _ detail: String, _ reason: StoreFailureReason?) {
        let text = "\(message): \(detail)"
        let isNew = state.withLock { state in
            defer { state.reported = text }
            return state.reported != text
        }
        guard isNew else { return }
        if let reason { failures.note(reason) }
        logger.error("\(message)", metadata: ["directory": "\(directory.path)", "reason": "\(detail)"])
    }

    private static func metadata(of pin: CataloguePin) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "generation": "\(pin.generation)", "revision": "\(pin.revision)", "by": "\(pin.order.by)",
            "since": "\(Timestamp(pin.order.at).text)",
        ]
        metadata["reason"] = pin.order.reason.map { "\($0)" }
        return metadata
    }
}
