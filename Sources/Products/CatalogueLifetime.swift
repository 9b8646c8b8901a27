import Locks

/// Reports the release of a catalogue without holding a reference to it.
///
/// Data derived from a catalogue is larger than the catalogue. Caches of such data register here to release it in time.
public final class CatalogueLifetime: Sendable {
    private enum State {
        case lasting([@Sendable () -> Void])
        case over
    }

    private let state = Mutex(State.lasting([]))

    init() {}

    /// Whether the catalogue is gone.
    public var isOver: Bool {
        state.withLock { if case .over = $0 { true } else { false } }
    }

    /// Calls the handler once when the catalogue is gone, or at once if it is gone already.
    /// - Parameter handler: runs on the thread that released the catalogue, which may be an event loop under a lock: it
    ///   may neither wait nor work.
    public func whenOver(_ handler: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            guard case .lasting(let handlers) = state else { return true }
            state = .lasting(handlers + [handler])
            return false
        }
        if isOver { handler() }
    }

    func end() {
        let handlers = state.withLock { state -> [@Sendable () -> Void] in
            defer { state = .over }
            if case .lasting(let handlers) = state { return handlers }
            return []
        }
        for handler in handlers { handler() }
    }
}
