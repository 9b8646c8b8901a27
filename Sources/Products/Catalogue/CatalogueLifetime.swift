internal import Concurrency

/// Reports the release of a catalogue without holding a reference to it.
///
/// Data derived from a catalogue is larger than the catalogue. Caches of such data register here to release it in time.
package final class CatalogueLifetime: Sendable {
    private enum State {
        case lasting([@Sendable () -> Void])
        case over
    }

    private let state = Mutex(State.lasting([]))

    init() {}

    package var isOver: Bool {
        state.withLock { if case .over = $0 { true } else { false } }
    }

    var handlers: Int {
        state.withLock { if case .lasting(let handlers) = $0 { handlers.count } else { 0 } }
    }

    /// Calls the handler once when the catalogue is released, or at once if it already was.
    /// - Parameter handler: runs on the releasing thread, which may be an event loop under a lock: it must neither wait
    ///   nor compute.
    package func whenOver(_ handler: @escaping @Sendable () -> Void) {
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

/// The doubt whether bytes that a catalogue took over unread are damaged. Catalogues made from its products share it.
package final class CatalogueDoubt: Sendable {
    enum State: Sendable {
        case open
        /// The bytes are intact.
        case dispelled
        /// The bytes are damaged.
        case confirmed
    }

    private let kept = Mutex(State.open)

    var state: State { kept.withLock { $0 } }
    package var isConfirmed: Bool { state == .confirmed }

    func settle(isConfirmed: Bool) {
        kept.withLock { $0 = isConfirmed ? .confirmed : .dispelled }
    }
}

extension [CatalogueDoubt] {
    /// Adds the doubts that are not in the list yet.
    mutating func add(_ others: [CatalogueDoubt]) {
        for other in others where !contains(where: { $0 === other }) { append(other) }
    }
}
