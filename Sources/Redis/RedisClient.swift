package import Concurrency
package import EventLoop
package import Logging

/// An event of a client's connections.
package enum RedisEvent: Sendable, Hashable {
    /// Commands can be sent, and messages arrive from now on. Earlier ones may have been missed.
    case connected
    /// A connection was lost, or the first one could not be made; with the reason.
    case disconnected(String)
    /// A message of the channel.
    case message([UInt8])
}

/// A client of one Redis server: a connection for commands, and one for the messages of a channel.
package final class RedisClient: RedisCommanding {
    private enum Role: String, Sendable { case commands, subscription }

    private struct State: Sendable {
        var commands: RedisConnection?
        var subscription: RedisConnection?
        var lastReason = "not connected yet"
        /// Set by the last event; nil before the first.
        var toldConnected: Bool?
        /// The reasons logged since both connections were last up.
        var logged: Set<String> = []
    }

    private let connector: RedisConnector
    private let channel: String?
    private let logger: Logger
    private let clock: any Clock<Duration>
    private let uptime: Uptime
    private let jitter: JitterSource
    private let queue = RedisEventQueue()
    private let state = Mutex(State())
    private let backoff = Backoff(base: .milliseconds(50), cap: .seconds(2))
    /// A connection that has lasted this long ends a row of failures.
    private static let steady = Duration.seconds(5)
    private static let pingInterval = Duration.seconds(5)
    private static let pingLimit = Duration.seconds(3)

    /// - Parameter channel: nil for no subscription.
    package init(
        loop: EventLoop, settings: RedisSettings, channel: String?, logger: Logger,
        clock: some Clock<Duration> = ContinuousClock(), jitter: JitterSource = .system
    ) {
        connector = RedisConnector(loop: loop, settings: settings, clock: clock)
        (self.channel, self.logger, self.clock, self.jitter) = (channel, logger, clock, jitter)
        uptime = Uptime(of: clock)
    }

    /// Connections made and lost, and messages, for one consumer. If it is slow, the oldest messages
    /// are dropped, and all from before the last change of the connections. Ends with `run`.
    package var events: AsyncStream<RedisEvent> { queue.stream }

    /// Whether commands and messages work.
    package var isConnected: Bool { state.withLock { isConnected($0) } }

    /// The reason why the client is not connected, or last was not.
    package var lastReason: String { state.withLock(\.lastReason) }

    /// Keeps both connections until the task is cancelled, and then closes them.
    ///
    /// A lost connection is made again, without limit, after a random pause of at most 50 ms, which doubles up to 2 s.
    /// Password and certificates are read again each time.
    package func run() async {
        await withTaskGroup { group in
            group.addTask { await self.keep(.commands) }
            if channel != nil { group.addTask { await self.keep(.subscription) } }
        }
        queue.finish()
    }

    /// Sends commands together on one connection.
    ///
    /// - Parameter limit: for all of them. A connection with late replies is closed, since they would be taken for
    ///   those of later commands.
    /// - Returns: a reply for each command, in order; refusals as `RedisValue.error`.
    package func send(_ commands: [[[UInt8]]], within limit: Duration) async throws(RedisError) -> [RedisValue] {
        let (connection, reason) = state.withLock { ($0.commands, $0.lastReason) }
        guard let connection else { throw .disconnected(reason) }
        return try await connection.send(commands, within: limit)
    }

    private func keep(_ role: Role) async {
        var failures = 0
        while !Task.isCancelled {
            let begun = uptime.now
            let error = await connectAndWait(role)
            lose(role, error)
            failures = uptime.now - begun < Self.steady ? failures + 1 : 1
            try? await clock.sleep(for: backoff.pause(after: failures) * jitter.next())
        }
    }

    /// - Returns: the reason why there is no connection, or no longer.
    private func connectAndWait(_ role: Role) async -> RedisError {
        do throws(RedisError) {
            let connection = try await connect(role)
            gain(role, connection)
            let reason = await withTaskGroup(of: Void.self) { group in
                if role == .subscription { group.addTask { await self.ping(connection) } }
                var reason = RedisError.disconnected("closed")
                for await end in connection.end { reason = end }
                group.cancelAll()
                return reason
            }
            await connection.close()
            return reason
        } catch {
            return error
        }
    }

    private func connect(_ role: Role) async throws(RedisError) -> RedisConnection {
        guard role == .subscription, let channel else { return try await connector.connect() }
        return try await connector.connect(subscribingTo: channel) { [queue] in queue.append(.message($0)) }
    }

    /// Detects a server that has stopped, or a network that drops packets.
    private func ping(_ connection: RedisConnection) async {
        while (try? await clock.sleep(for: Self.pingInterval)) != nil {
            // A failure ends the connection.
            _ = try? await connection.send([[Array("PING".utf8)]], within: Self.pingLimit)
        }
    }
}

extension RedisClient {
    private func isConnected(_ state: State) -> Bool {
        state.commands != nil && (state.subscription != nil || channel == nil)
    }

    private func gain(_ role: Role, _ connection: RedisConnection) {
        let isNews = state.withLock { state in
            switch role {
            case .commands: state.commands = connection
            case .subscription: state.subscription = connection
            }
            guard isConnected(state) else { return false }
            (state.toldConnected, state.logged) = (true, [])
            queue.append(.connected)
            return true
        }
        guard isNews else { return }
        logger.info("connected to Redis", metadata: ["url": "\(connector.settings.url)"])
    }

    private func lose(_ role: Role, _ error: RedisError) {
        let reason = error.reason
        let isNews = state.withLock { state in
            switch role {
            case .commands: state.commands = nil
            case .subscription: state.subscription = nil
            }
            state.lastReason = reason
            if state.toldConnected != false { queue.append(.disconnected(reason)) }
            state.toldConnected = false
            return state.logged.count < 16 && state.logged.insert(reason).inserted
        }
        guard isNews, !Task.isCancelled else { return }
        logger.warning(
            "no connection to Redis; retrying",
            metadata: ["url": "\(connector.settings.url)", "connection": "\(role.rawValue)", "error": "\(reason)"])
    }
}

/// Events for one consumer, which may be slow. The newest are kept.
///
/// After a new connection the consumer reads the state that messages announce, so earlier messages are dropped.
final class RedisEventQueue: Sendable {
    static let mostMessages = 256
    private static let mostChanges = 16
    private let events = Mutex<[RedisEvent]>([])
    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    init() {
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    var stream: AsyncStream<RedisEvent> {
        AsyncStream { [self] in
            while true {
                if let event = events.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return event }
                var iterator = wakes.makeAsyncIterator()
                guard await iterator.next() != nil else { return nil }
            }
        }
    }

    func append(_ event: RedisEvent) {
        events.withLock { events in
            if event.isMessage {
                // Earlier events are about the connections.
                let first = events.firstIndex(where: \.isMessage) ?? events.count
                if events.count - first == Self.mostMessages { events.remove(at: first) }
            } else {
                events.removeAll(where: \.isMessage)
                if events.count == Self.mostChanges { events.removeFirst() }
            }
            events.append(event)
        }
        wake.yield()
    }

    /// Ends the stream after the remaining events.
    func finish() {
        wake.finish()
    }
}

extension RedisEvent {
    fileprivate var isMessage: Bool {
        if case .message = self { true } else { false }
    }
}
