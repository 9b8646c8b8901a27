internal import Glibc

/// An upstream that runs a script for each connection, which may break HTTP in any way.
public final class ScriptedUpstream: Sendable {
    private struct State: Sendable {
        var events: [UpstreamEvent] = []
        var open: [Int: UpstreamConnection] = [:]
        var isStopped = false
    }

    /// The port on 127.0.0.1.
    public let port: Int
    private let listener: Int32
    private let script: @Sendable (UpstreamConnection) -> Void
    private let state = Observed(State())

    /// Starts to listen. The script runs for each connection, on a thread of its own.
    ///
    /// - Parameter port: 0 for one of the system's choice, which may be given to another as soon as this one stops. A
    ///   named one stays taken while the upstream exists, so that connecting after its stop is refused.
    public init(listeningOn port: Int = 0, _ script: @escaping @Sendable (UpstreamConnection) -> Void) {
        self.script = script
        (listener, self.port) = LoopbackSocket.listening(on: port, backlog: 512)
        BackgroundThread.start { [self] in acceptAll() }
    }

    /// Listens at the path of a unix socket, which is made.
    public init(listeningAt path: String, _ script: @escaping @Sendable (UpstreamConnection) -> Void) {
        self.script = script
        (listener, port) = (LoopbackSocket.listening(at: path), 0)
        BackgroundThread.start { [self] in acceptAll() }
    }

    deinit {
        close(listener)
    }

    /// Its root.
    public var url: String { "http://127.0.0.1:\(port)/" }

    /// The events so far.
    public var events: [UpstreamEvent] { state.value.events }

    /// Counts the connections taken so far.
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
        await state.wait { isMet($0.events) }
    }

    /// Returns as soon as so many requests have been read.
    public func wait(requests count: Int) async {
        await wait { $0.count { if case .request = $0 { true } else { false } } >= count }
    }

    /// Returns as soon as every connection so far is closed, by whichever side.
    public func waitUntilIdle() async {
        await state.wait { $0.open.isEmpty }
    }

    /// Returns as soon as nobody listens on the port any more.
    public func waitUntilStopped() async {
        await wait(for: .stopped)
    }

    /// Stops listening and ends every script. More than once does no harm.
    public func stop() {
        state.update { [listener] state in
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
        state.update { state in
            // Under the lock, so that `stop` never interrupts a descriptor that has another use by then.
            state.open[connection.index] = nil
            connection.close()
        }
    }

    private func keep(_ connection: UpstreamConnection) -> Bool {
        state.update { state in
            guard !state.isStopped else { return false }
            state.open[connection.index] = connection
            return true
        }
    }

    private func record(_ event: UpstreamEvent) {
        state.update { $0.events.append(event) }
    }
}

/// An event at an upstream that a test can wait for.
public enum UpstreamEvent: Sendable, Hashable {
    /// A connection was taken.
    case accepted(connection: Int)
    /// The head of a request was read.
    case request(connection: Int, head: String)
    /// The client closed a connection while the script waited for that.
    case closedByClient(connection: Int)
    /// The upstream does not listen any more.
    case stopped
}

/// Answers every request of a connection in the same way, until the client leaves.
@Sendable public func answering(_ answer: @escaping @Sendable (UpstreamConnection) -> Void)
    -> @Sendable (UpstreamConnection) -> Void
{
    { connection in
        while connection.readRequest() != nil { answer(connection) }
    }
}
