internal import Glibc

/// An upstream that does to each connection what a script says, however wrong that is.
public final class ScriptedUpstream: Sendable {
    private struct Watcher: Sendable {
        let isMet: @Sendable ([UpstreamEvent]) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State: Sendable {
        var events: [UpstreamEvent] = []
        var watchers: [Watcher] = []
        var open: [Int: UpstreamConnection] = [:]
        var idleWatchers: [CheckedContinuation<Void, Never>] = []
        var isStopped = false
    }

    /// Where it listens, on 127.0.0.1.
    public let port: Int
    private let listener: Int32
    private let script: @Sendable (UpstreamConnection) -> Void
    private let state = Shared(State())

    /// Starts to listen. The script runs for each connection, on a thread of its own.
    ///
    /// - Parameter port: 0 for one of the system's choice, which may be given to another as soon as this one stops. One
    ///   that is named is taken as long as the upstream exists, so that who asks after it has stopped meets nobody.
    public init(listeningOn port: Int = 0, _ script: @escaping @Sendable (UpstreamConnection) -> Void) {
        self.script = script
        (listener, self.port) = LoopbackSocket.listening(on: port, backlog: 512)
        BackgroundThread.start { [self] in acceptAll() }
    }

    deinit {
        close(listener)
    }

    /// Its root.
    public var url: String { "http://127.0.0.1:\(port)/" }

    /// What happened so far.
    public var events: [UpstreamEvent] { state.withLock(\.events) }

    /// How many connections were taken so far.
    public var acceptedCount: Int {
        events.count { if case .accepted = $0 { true } else { false } }
    }

    /// The heads of all requests so far.
    public var requestHeads: [String] {
        events.compactMap { if case .request(_, let head) = $0 { head } else { nil } }
    }

    /// Returns as soon as an event has happened.
    public func wait(for event: UpstreamEvent) async {
        await wait { $0.contains(event) }
    }

    /// Returns as soon as the events so far meet a condition.
    public func wait(until isMet: @escaping @Sendable ([UpstreamEvent]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                guard !isMet(state.events) else { return true }
                state.watchers.append(Watcher(isMet: isMet, continuation: continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Returns as soon as every connection so far is closed, by whichever side.
    public func waitUntilIdle() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                guard !state.open.isEmpty else { return true }
                state.idleWatchers.append(continuation)
                return false
            }
            if isIdle { continuation.resume() }
        }
    }

    /// Returns as soon as nobody listens on the port any more.
    public func waitUntilStopped() async {
        await wait(for: .stopped)
    }

    /// Stops listening and ends every script. More than once does no harm.
    public func stop() {
        state.withLock { state in
            guard !state.isStopped else { return }
            state.isStopped = true
            for connection in state.open.values { connection.interrupt() }
            shutdown(listener, Int32(SHUT_RDWR))
        }
    }

    private func acceptAll() {
        var index = 0
        while true {
            let descriptor = accept(listener, nil, nil)
            guard descriptor >= 0 else { break }
            let connection = UpstreamConnection(index: index, descriptor: descriptor) { [self] in record($0) }
            index += 1
            guard keep(connection) else {
                connection.close()
                break
            }
            record(.accepted(connection: connection.index))
            BackgroundThread.start { [self] in
                script(connection)
                forget(connection)
            }
        }
        record(.stopped)
    }

    private func forget(_ connection: UpstreamConnection) {
        let watchers = state.withLock { state in
            // Under the lock, so that `stop` never interrupts a number that is in use for something else already.
            state.open[connection.index] = nil
            connection.close()
            guard state.open.isEmpty else { return [CheckedContinuation<Void, Never>]() }
            defer { state.idleWatchers = [] }
            return state.idleWatchers
        }
        for watcher in watchers { watcher.resume() }
    }

    private func keep(_ connection: UpstreamConnection) -> Bool {
        state.withLock { state in
            guard !state.isStopped else { return false }
            state.open[connection.index] = connection
            return true
        }
    }

    private func record(_ event: UpstreamEvent) {
        let met = state.withLock { state in
            state.events.append(event)
            let met = state.watchers.filter { $0.isMet(state.events) }
            state.watchers.removeAll { $0.isMet(state.events) }
            return met
        }
        for watcher in met { watcher.continuation.resume() }
    }
}
