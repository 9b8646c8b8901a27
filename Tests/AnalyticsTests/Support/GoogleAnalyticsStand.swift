internal import EventLoop
internal import FileSystem
internal import Logging
internal import Networking
internal import TestSupport
internal import Testing
internal import Text

@testable internal import Analytics

/// A sink of Google Analytics, in front of a stand-in.
struct GoogleAnalyticsStand: Sendable {
    let google: GoogleAnalyticsStandIn
    let log = LogRecorder()
    /// Times the pauses between tries; the first takes a second, each further one twice as long.
    let clock = ManualClock()
    let wallClock: ManualWallClock
    let directory: TemporaryDirectory

    /// Runs a test, and stops the stand-in.
    static func with(_ body: (GoogleAnalyticsStand) async throws -> Void) async throws {
        let wallClock = ManualWallClock()
        let stand = GoogleAnalyticsStand(
            google: GoogleAnalyticsStandIn(clock: wallClock), wallClock: wallClock, directory: try TemporaryDirectory())
        defer { stand.google.stop() }
        try await body(stand)
        #expect(stand.google.faults == [])
    }

    /// Where events wait.
    var spool: String { directory("spool") }

    /// Runs a part of a test with a sink, as one process would; the sink is closed at its end.
    ///
    /// - Parameters:
    ///   - client: whom events are counted for.
    ///   - isUsed: whether the spool is worked off.
    func process(
        client: String? = "shop", spooled: Bool = false, spoolSize: Int = 64 << 20, isUsed: Bool = true,
        _ body: (QueuedAnalyticsSink) async throws -> Void
    ) async throws -> AnalyticsStatistics {
        let loops = try EventLoopGroup(count: 1)
        let connections = HTTPClient(loops: loops.loops, userAgent: UserAgent(version: "1.2.3"))
        let outcome: Result<AnalyticsStatistics, any Error>
        do {
            let (sink, writer) = try makeSink(connections, client, spooled ? spoolSize : nil)
            sink.start()
            if isUsed { writer.start() }
            try await body(sink)
            await sink.close(within: .seconds(2), clock: clock)
            await writer.close(within: .milliseconds(500))
            outcome = .success(sink.statistics)
        } catch {
            outcome = .failure(error)
        }
        await connections.shutdown()
        await loops.shutdown()
        return try outcome.get()
    }

    private func makeSink(
        _ connections: HTTPClient, _ client: String?, _ spoolSize: Int?
    ) throws -> (QueuedAnalyticsSink, GoogleAnalyticsWriter) {
        var logger = log.logger
        logger[metadataKey: "sink"] = "s"
        let path = directory("secret-\(UInt64.random(in: 0...UInt64.max))")
        try Files.create(path, Array("\(GoogleAnalyticsStandIn.secret)\n".utf8))
        let tally = AnalyticsTally()
        let writer = GoogleAnalyticsWriter(
            endpoint: GoogleAnalyticsEndpoint(
                client: connections, url: google.url, measurementID: "G-TEST1",
                secret: Credential(Secret(GoogleAnalyticsStandIn.secret), path: path, logger: logger),
                timeout: .seconds(20)),
            clientID: client, spool: spoolSize.map { _ in spool }, spoolSize: spoolSize ?? 0, tally: tally,
            logger: logger,
            environment: AnalyticsEnvironment(clock: clock, now: { [wallClock] in wallClock.now }, jitter: { 1 }))
        return (QueuedAnalyticsSink(name: "s", writer: writer, tally: tally, logger: log.logger), writer)
    }

    /// All files of the spool, as one text.
    func spooled() throws -> String {
        let folder = "\(spool)/G-TEST1"
        guard Files.exists(folder) else { return "" }
        return try Files.list(folder).filter { $0 != ".lock" }.map {
            String(decoding: try Files.read("\(folder)/\($0)"), as: UTF8.self)
        }
        .joined()
    }

    /// Returns when nothing waits in the sink's queue any more, and what did has got to the endpoint or the spool.
    func drained(_ sink: QueuedAnalyticsSink) async {
        await yieldUntil { sink.isIdle }
    }

    /// Returns when so many events have been lost.
    func lost(_ sink: QueuedAnalyticsSink, _ count: Int) async {
        await yieldUntil { sink.statistics.dropped.values.reduce(0, +) >= count }
    }

    /// Lets time pass until something has happened.
    func letTimePass(until isSo: () -> Bool) async {
        await yieldUntil {
            if !isSo() { clock.advance(by: .seconds(1)) }
            return isSo()
        }
    }

    /// Expires the timers that cancel the sink while it is being closed: the queue's timer, then the timer of the task
    /// that empties the spool.
    ///
    /// - Parameter others: the number of other sleepers.
    func ringWhileClosing(others: Int = 0) {
        Task { [clock] in
            for timeout in [Duration.milliseconds(1500), .milliseconds(250)] {
                await clock.waitForSleepers(2 + others)
                clock.advance(by: timeout)
                await yieldUntil { clock.sleepers <= 1 }
            }
        }
    }
}
