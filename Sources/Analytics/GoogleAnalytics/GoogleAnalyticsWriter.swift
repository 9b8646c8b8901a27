internal import Concurrency
internal import FoundationEssentials
package import Health
package import Logging
internal import Networking

/// Sends events to Google Analytics 4 by the Measurement Protocol.
///
/// A request carries events and a client id only. The protocol requires the id. All events count for one client, since
/// a server does not distinguish visitors; an event with a subject (the exposures of `ab_test`, by a pseudonym) counts
/// for a client of its own.
///
/// Events that cannot be delivered wait in the spool, which one task retries with growing pauses. Without a spool a
/// batch is retried here while others wait in the queue in front. Delivery is at least once: an endpoint that accepted
/// a request without responding gets it again.
package struct GoogleAnalyticsWriter: AnalyticsWriter, TroubleReporting {
    /// Generated once per process, in the form used by web pages: a random number and the time.
    private static let clientIDOfThisProcess =
        "\(UInt32.random(in: 1...0x7FFF_FFFF)).\(Int(Date().timeIntervalSince1970))"

    private static let width = 4
    /// Tries of a batch without a spool, over some 40 minutes unless the endpoint asks for other pauses.
    private static let tries = 25
    /// Pause before another try to use a spool.
    private static let pauseOfSpool: Duration = .seconds(60)

    private let endpoint: GoogleAnalyticsEndpoint
    private let clientID: String
    private let spool: EventSpool?
    private let tally: AnalyticsTally
    private let troubleLog: AnalyticsTroubles
    private let health: DeliveryHealth
    private let environment: AnalyticsEnvironment
    private let worker = WokenTask()

    /// Makes a writer, which delivers nothing from its spool before `start` is called.
    ///
    /// - Parameters:
    ///   - clientID: client of the events without a subject; nil for one that is generated once per process.
    ///   - spool: directory of the events that cannot be sent, of this and other streams; nil to keep them in memory.
    ///   - spoolSize: bytes that may wait there.
    ///   - logger: logs troubles and their ends.
    package init(
        endpoint: GoogleAnalyticsEndpoint, clientID: String? = nil, spool: String? = nil, spoolSize: Int = 64 << 20,
        tally: AnalyticsTally, logger: Logger, environment: AnalyticsEnvironment = AnalyticsEnvironment()
    ) {
        self.endpoint = endpoint
        self.clientID = clientID ?? Self.clientIDOfThisProcess
        // One directory per stream, so that a changed config never sends events to another stream.
        self.spool = spool.map {
            EventSpool(directory: "\($0)/\(endpoint.measurementID)", limit: spoolSize, environment: environment)
        }
        self.tally = tally
        self.environment = environment
        troubleLog = AnalyticsTroubles(logger)
        health = DeliveryHealth(troubleLog)
    }

    package var backlogBytes: Int? { spool?.size ?? 0 }

    package var troubles: [Trouble] { troubleLog.troubles }

    /// Delivers the events or puts them into the spool. If neither is possible, the batch is retried for some time.
    package func write(_ batch: [AnalyticsEvent]) async {
        let events = batch.compactMap { GoogleAnalyticsEvent($0, clientID: clientID) }
        tally.recordDropped(batch.count - events.count, .invalid)
        let rest = health.isDown || Task.isCancelled ? events : await deliver(events, isLast: backlogBytes == 0)
        if !rest.isEmpty, await !keep(rest) { await retry(rest) }
    }

    /// Begins to deliver the spool, including events of an earlier process. Call once, when the sink is in use.
    package func start() {
        guard let spool else { return }
        worker.start {
            while !worker.isClosed, await workOff(spool) {}
            if worker.isClosed { await spool.close() }
        }
        worker.wake()
    }

    /// Returns when the running delivery has ended; it is cancelled after half of the deadline. A pause between tries
    /// ends at once.
    package func close(within deadline: Duration) async {
        let timeout = health.isDown ? .zero : deadline / 2
        await worker.close(within: deadline, timeout: timeout, clock: environment.clock)
    }

    /// Puts events into the spool, or drops those that do not fit; false without a usable spool.
    private func keep(_ events: [GoogleAnalyticsEvent]) async -> Bool {
        guard let spool else { return false }
        defer { worker.wake() }
        do {
            let lost = try await spool.add(events)
            tally.recordDropped(lost, .backlogFull)
            if lost > 0 { troubleLog.report(.full, cause: "the spool has reached its size limit") }
            troubleLog.report(.notKept, cause: nil)
        } catch is EventSpool.InUse {
            return false
        } catch {
            tally.recordDropped(events.count, AnalyticsDropReason(writing: error))
            troubleLog.report(.notKept, cause: "\(error)", ["error": "\(error)"])
        }
        return true
    }

    private func retry(_ events: [GoogleAnalyticsEvent]) async {
        var rest = events
        for _ in 1..<Self.tries where !rest.isEmpty {
            let pause = health.pause(jitter: environment.jitter())
            guard !Task.isCancelled, (try? await environment.clock.sleep(for: pause)) != nil else { break }
            // Another sink may have released the spool since.
            if await keep(rest) { return }
            rest = await deliver(young(rest), isLast: true)
        }
        if !rest.isEmpty, await keep(rest) { return }
        tally.recordDropped(rest.count, Task.isCancelled ? .closed : .expired)
    }

    /// Tries the next portion of the spool; false if there is nothing to do until the next wake-up.
    private func workOff(_ spool: EventSpool) async -> Bool {
        do {
            try await environment.clock.sleep(for: health.pause(jitter: environment.jitter()))
            health.letTry()
            guard let portion = try await spool.next() else {
                troubleLog.report(.notRead, cause: nil)
                if let pause = try await spool.pause() {
                    worker.wake(after: pause, clock: environment.clock)
                } else {
                    troubleLog.report(.full, cause: nil)
                }
                return false
            }
            tally.recordDropped(portion.unreadable, .invalid)
            let rest = await deliver(
                young(portion.events), isLast: spool.size <= portion.size, isHeldOff: true)
            try await spool.settle(portion, keeping: rest)
            return true
        } catch is CancellationError {
            return false
        } catch {
            troubleLog.report(.notRead, cause: "\(error)", ["error": "\(error)"])
            return (try? await environment.clock.sleep(for: Self.pauseOfSpool)) != nil
        }
    }

    /// The events that are young enough for the endpoint; the others are counted as lost.
    private func young(_ events: [GoogleAnalyticsEvent]) -> [GoogleAnalyticsEvent] {
        let cutoff = GoogleAnalyticsEvent.microseconds(environment.now() - GoogleAnalyticsLimits.age / .seconds(1))
        let young = events.filter { $0.timestamp >= cutoff }
        tally.recordDropped(events.count - young.count, .expired)
        return young
    }

    /// Sends the events, a few requests at a time, until one fails.
    ///
    /// - Parameters:
    ///   - isLast: whether no other events wait.
    ///   - isHeldOff: whether events that have to wait get a pause of their own.
    /// - Returns: the events that have to wait, those of failed requests last.
    private func deliver(
        _ events: [GoogleAnalyticsEvent], isLast: Bool, isHeldOff: Bool = false
    ) async -> [GoogleAnalyticsEvent] {
        let (packs, tooLarge) = GoogleAnalyticsPack.packing(events)
        tally.recordDropped(tooLarge, .tooLarge)
        guard !packs.isEmpty else { return [] }
        let secret = await endpoint.secret.current()
        var left = packs[...]
        var failed: [GoogleAnalyticsPack] = []
        var outcomes: [GoogleAnalyticsEndpoint.Outcome] = []
        while failed.isEmpty, !left.isEmpty, !Task.isCancelled {
            await withTaskGroup { group in
                for pack in left.prefix(Self.width) {
                    group.addTask { [endpoint] in (pack, await endpoint.send(pack, secret)) }
                }
                for await (pack, outcome) in group {
                    outcomes.append(outcome)
                    switch outcome {
                    case .delivered: tally.recordSent(pack.events.map(\.name))
                    case .refused: tally.recordDropped(pack.events.count, .refused)
                    case .failed, .interrupted: failed.append(pack)
                    }
                }
            }
            left = left.dropFirst(Self.width)
        }
        health.record(outcomes, isLast: isLast, isHeldOff: isHeldOff)
        return (left + failed).flatMap(\.events)
    }
}
