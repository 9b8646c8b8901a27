import Concurrency
import EventLoop
import Logging
import Redis
import TestSupport

/// A client that runs, and what it has told so far.
struct RunningClient {
    let client: RedisClient
    let events: Observed<[RedisEvent]>
    let log: LogRecorder

    /// Returns as soon as so many events of this kind have come.
    func waitUntilConnected(times count: Int = 1) async {
        await events.wait { events in events.count { $0 == .connected } >= count }
    }

    /// Returns the reason of the first loss whose text has this part.
    func waitForLoss(_ part: String = "") async {
        await events.wait { events in
            events.contains { if case .disconnected(let reason) = $0 { reason.contains(part) } else { false } }
        }
    }

    /// Returns as soon as the log tells this reason.
    func waitForReason(_ part: String) async throws {
        try await eventually { log.seenLines.contains { $0.metadata["error"]?.contains(part) == true } }
    }

    func command(_ words: String..., within limit: Duration = .seconds(10)) async throws -> RedisValue {
        try await client.send([words.map { Array($0.utf8) }], within: limit)[0]
    }
}

/// Runs a test with a client on a loop of its own, which is at an end when the test is.
func withClient(
    _ settings: RedisSettings, channel: String? = nil, clock: some Clock<Duration> = ContinuousClock(),
    _ body: (RunningClient) async throws -> Void
) async throws {
    let loop = try EventLoop(name: "redis-test")
    let log = LogRecorder()
    let client = RedisClient(
        loop: loop, settings: settings, channel: channel, logger: log.logger, clock: clock,
        jitter: JitterSource { 0.5 })
    let events = Observed<[RedisEvent]>([])
    let listening = Task { for await event in client.events { events.update { $0.append(event) } } }
    let running = Task { await client.run() }
    try await attempt {
        try await body(RunningClient(client: client, events: events, log: log))
    } finally: {
        running.cancel()
        await running.value
        await listening.value
        await loop.shutdown()
    }
}

extension RedisServer {
    /// Reaches this server by this URL's parts.
    func settings(
        _ scheme: String = "redis", user: String = "", host: String = "127.0.0.1", database: Int = 0
    ) throws -> RedisSettings {
        RedisSettings(url: try RedisURL("\(scheme)://\(user)\(host):\(port)/\(database)"))
    }
}

extension RedisValue {
    static func text(_ text: String) -> RedisValue { .bytes(Array(text.utf8)) }
}
