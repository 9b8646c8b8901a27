internal import Configuration
internal import FileSystem
internal import TestSupport
internal import Testing

@testable internal import Analytics

/// A `google_analytics` sink as the config makes it, in front of a stand-in.
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
    ///   - client: whom the config says that events are counted for.
    ///   - isUsed: whether the graph of the sink is that which serves.
    func process(
        _ fields: String = "", client: String? = "shop", spooled: Bool = false, isUsed: Bool = true,
        _ body: (QueuedAnalyticsSink) async throws -> Void
    ) async throws -> AnalyticsStatistics {
        let environment = AnalyticsEnvironment(
            clock: clock, now: { [wallClock] in wallClock.now }, jitter: { 1 })
        let client = client.map { ", client_id: \($0)" } ?? ""
        let secret = directory("secret-\(UInt64.random(in: 0...UInt64.max))")
        try Files.create(secret, Array("\(GoogleAnalyticsStandIn.secret)\n".utf8))
        var statistics: AnalyticsStatistics?
        try await withResources(log, environment) { resources in
            let (made, assembly) = try makeSink(
                """
                { type: google_analytics, measurement_id: G-TEST1, api_secret_file: \(secret), timeout: 20s,
                    endpoint: "\(google.url)"\(client)\(spooled ? ", spool: \(spool)" : "")\(fields) }
                """, resources: resources)
            let sink = try #require(made as? QueuedAnalyticsSink)
            if isUsed { for job in assembly.backgroundJobs { try await job.run() } }
            try await body(sink)
            await assembly.shutDown()
            statistics = sink.statistics
        }
        return statistics ?? AnalyticsStatistics(queued: 0, sent: [:], dropped: [:])
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

    /// Has the alarms ring by which the sink is cancelled while it is closed: that of its queue, and then that of the
    /// task that works off the spool.
    ///
    /// - Parameter others: who else sleeps then.
    func ringWhileClosing(others: Int = 0) {
        Task { [clock] in
            for patience in [Duration.milliseconds(1500), .milliseconds(250)] {
                await clock.waitForSleepers(2 + others)
                clock.advance(by: patience)
                await yieldUntil { clock.sleepers <= 1 }
            }
        }
    }
}
