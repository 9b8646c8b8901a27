internal import Concurrency
internal import FileSystem
internal import FoundationEssentials
internal import Health
internal import Logging
internal import Products

/// Loads the pinned generation of a directory, again only if the pin has changed.
///
/// The pin itself is read at each load, since another process may change it. Its snapshot stays in memory, so damage to
/// the file is found only after a restart. Then another generation with the same products is served, or else the newest
/// older one; a newer one is what the operator does not want. If only newer ones are left, the pin has no effect. Every
/// substitute but one with the same products is logged as an error.
///
/// An order that could not be written, as on a full disk, is still in force. Each load tries to write it again. Until
/// then the pin on disk is ignored, unless it was ordered later.
///
/// Loads and orders block their thread on the disk, and run one at a time.
final class PinCache: Sendable {
    /// The pin and its snapshot at the last look-up.
    struct State: Sendable {
        /// Whether the disk was ever read.
        var isKnown = false
        var pin: CataloguePin?
        /// The snapshot to serve for the pin; nil if there is none.
        var snapshot: ProductsSnapshot?
        /// The reason why the file of the pin cannot be read; nil if it can.
        var trouble: String?
        /// Whether the snapshot of a new pin is being loaded.
        var isLoading = false
        /// Whether the snapshot is a substitute for the pinned one.
        var isSubstitute = false
    }

    private let directory: GenerationDirectory
    private let cache: GenerationCache
    private let reader: GenerationReader
    private let unwritten: UnwrittenPin
    private let logger: Logger
    private let failures: StoreFailureMeter
    private let troubles: StoreTroubles
    private let movesDamaged: Bool
    private let state = Mutex(State())

    init(
        directory: GenerationDirectory, cache: GenerationCache, reader: GenerationReader, unwritten: UnwrittenPin,
        logger: Logger, failures: StoreFailureMeter, troubles: StoreTroubles, movesDamaged: Bool
    ) {
        (self.directory, self.cache, self.reader, self.unwritten) = (directory, cache, reader, unwritten)
        (self.logger, self.failures, self.troubles) = (logger, failures, troubles)
        self.movesDamaged = movesDamaged
    }

    /// The state at the last read of the disk.
    var kept: State { state.withLock { $0 } }

    /// The pin in force: by the unwritten order, or else by the disk. Changes nothing.
    var reading: PinReading {
        switch unwritten.order {
        case .pin(let pin): .pinned(pin)
        case .unpin: .none
        case nil: directory.readPin()
        }
    }

    /// Reads the pin, and its snapshot unless it is in memory. While the pin cannot be read, the previous one stays.
    func current() -> State {
        if let order = unwritten.order { write(order) }
        switch reading {
        case .none:
            troubles.report(.pinUnreadable, cause: nil)
            release()
        case .damaged(let detail):
            setAside(detail)
            release()
        case .unknown(let detail):
            failures.record(.unreadable, unless: troubles.contains(.pinUnreadable))
            troubles.report(.pinUnreadable, cause: detail, metadata(detail))
            state.withLock { ($0.isKnown, $0.trouble) = (true, detail) }
        case .pinned(let pin):
            for trouble in [StoreTrouble.pinUnreadable, .pinDamaged] { troubles.report(trouble, cause: nil) }
            let kept = kept
            if kept.pin != pin || kept.snapshot == nil || kept.isSubstitute { load(pin, kept) }
            state.withLock { $0.trouble = nil }
        }
        return kept
    }

    /// Adopts an order that was just given.
    /// - Parameters:
    ///   - pinned: the pin and its snapshot; nil if the pin was removed.
    ///   - failure: the reason why the order could not be written; nil if it is on disk.
    ///   - time: the time of the order.
    func adopt(
        _ pinned: (pin: CataloguePin, snapshot: ProductsSnapshot)?, unwritten failure: ProductsFailure?, at time: Date
    ) {
        unwritten.order = failure == nil ? nil : pinned.map { .pin($0.pin) } ?? .unpin(at: time)
        report(failure)
        troubles.report(.pinDamaged, cause: nil)
        guard let (pin, snapshot) = pinned else { return release() }
        keep(State(isKnown: true, pin: pin, snapshot: snapshot))
        logger.notice("a generation is pinned", metadata: Self.metadata(of: pin))
        for trouble in [StoreTrouble.pinReplaced, .pinIdle] { troubles.report(trouble, cause: nil) }
    }

    /// Drops a catalogue that must not be served any more; the next load finds another.
    func drop(_ catalogue: Catalogue) {
        state.withLock { state in
            guard state.snapshot?.catalogue === catalogue else { return }
            (state.snapshot, state.isSubstitute) = (nil, true)
        }
    }

    private func write(_ order: UnwrittenPin.Order) {
        do {
            let isWritten = try directory.write(order)
            unwritten.order = nil
            report(nil)
            if isWritten, case .pin(let pin) = order { state.withLock { $0.pin = pin.written } }
        } catch {
            report(.storeFailed(detail: "\(error)"))
        }
    }

    private func report(_ failure: ProductsFailure?) {
        let metadata = failure.map { self.metadata("\($0)") } ?? [:]
        troubles.report(.pinUnsaved, cause: failure.map { "\($0)" }, metadata)
    }

    private func release() {
        guard let pin = keep(State(isKnown: true)).pin else { return }
        logger.notice("the pin was taken off", metadata: Self.metadata(of: pin))
        for trouble in [StoreTrouble.pinReplaced, .pinIdle] { troubles.report(trouble, cause: nil) }
    }

    @discardableResult private func keep(_ new: State) -> State {
        // The replaced snapshot is released outside the lock.
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
        var new = State(isKnown: true, pin: pin, snapshot: substitute, isSubstitute: true)
        for name in candidates(for: pin) where name.number == pin.generation || new.snapshot == nil {
            guard let snapshot = read(name) else { continue }
            let isRight = name.number != pin.generation || holds(name, snapshot, revision: pin.revision)
            guard isRight else { continue }
            (new.snapshot, new.isSubstitute) = (snapshot, snapshot.revision != pin.revision)
            if name.number == pin.generation { new.isSubstitute = false }
            if !new.isSubstitute { break }
        }
        keep(new)
        let cause = "generation \(pin.generation) of \(directory.path) is missing or damaged"
        for trouble in [StoreTrouble.pinReplaced, .pinIdle] {
            let isSo = new.isSubstitute && (trouble == .pinIdle) == (new.snapshot == nil)
            troubles.report(trouble, cause: isSo ? cause : nil, isSo ? metadata(cause) : [:])
        }
    }

    /// The generations that may be served for a pin, best first.
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
            return try reader.read(name, known: cache.kept?.catalogue)
        } catch {
            if !error.isGone { _ = reader.setAside(name, for: error) }
            return nil
        }
    }

    /// Whether a generation has the pinned products, by the revision of this version of the service or of its writer.
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
        failures.record(.damaged, unless: troubles.contains(.pinDamaged))
        troubles.report(.pinDamaged, cause: detail, metadata("\(detail); \(outcome)"))
    }

    private func metadata(_ detail: String) -> Logger.Metadata {
        ["directory": "\(directory.path)", "reason": "\(detail)"]
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
