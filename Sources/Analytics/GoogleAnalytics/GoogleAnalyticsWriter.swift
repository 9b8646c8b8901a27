internal import FoundationEssentials
package import Health
package import Logging
internal import Networking

/// Sends events to Google Analytics 4 by the Measurement Protocol.
///
/// A request carries events and a client id only. The protocol requires the id, and a server has no visitors to tell
/// apart, so all events count for one client; an event with a subject (the exposures of `ab_test`, by a pseudonym)
/// counts for a client of its own.
///
/// Events that cannot be delivered wait in the spool, which one task retries with growing pauses. Without a spool a
/// batch is retried here while others wait in the queue in front. Delivery is at least once: an endpoint that accepted a
/// request without answering gets it again.
package struct GoogleAnalyticsWriter: AnalyticsWriter, TroubleReporting {
    /// Made up once in a process, in the form of web pages: a random number and the time.
    private static let clientIDOfThisProcess =
        "\(UInt32.random(in: 1...0x7FFF_FFFF)).\(Int(Date().timeIntervalSince1970))"

    private static let width = 4
    /// Tries of a batch without a spool, over some 40 minutes where the endpoint asks for no other pauses.
    private static let tries = 25
    /// Pause before another look at a spool that cannot be used.
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
    ///   - clientID: client of the events without a subject; nil for one that is made up once in a process.
    ///   - spool: directory of the events that cannot be sent, of this and other streams; nil to keep them in memory.
    ///   - spoolSize: bytes that may wait there.
    ///   - logger: told of troubles and their ends.
    package init(
        endpoint: GoogleAnalyticsEndpoint, clientID: String? = nil, spool: String? = nil, spoolSize: Int = 64 << 20,
        tally: AnalyticsTally, logger: Logger, environment: AnalyticsEnvironment = AnalyticsEnvironment()
    ) {
        self.endpoint = endpoint
        self.clientID = clientID ?? Self.clientIDOfThisProcess
        // By stream, so that a changed config never sends events to another one.
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

    /// Delivers the events or puts them into the spool. A batch of which neither is possible is retried for some time.
    package func write(_ batch: [AnalyticsEvent]) async {
        let events = batch.compactMap { GoogleAnalyticsEvent($0, clientID: clientID) }
        tally.recordDropped(batch.count - events.count, .invalid)
        let rest = health.isDown || Task.isCancelled ? events : await deliver(events, isLast: backlogBytes == 0)
        if !rest.isEmpty, await !keep(rest) { await retry(rest) }
    }

    /// Begins to work off the spool, with what an earlier process has left in it. Call once, when the sink is in use.
    package func start() {
        guard let spool else { return }
        worker.start {
            while !worker.isClosed, await workOff(spool) {}
            if worker.isClosed { await spool.close() }
        }
        worker.wake()
    }

    /// Returns when the delivery under way has ended, which is cancelled after half of the deadline. A pause between
    /// tries ends at once.
    package func close(within deadline: Duration) async {
        let timeout = health.isDown ? .zero : deadline / 2
        await worker.close(within: deadline, timeout: timeout, clock: environment.clock)
    }

    /// Puts events into the spool, or drops what it has no room for; false without a spool that can be used.
    private func keep(_ events: [GoogleAnalyticsEvent]) async -> Bool {
        guard let spool else { return false }
        defer { worker.wake() }
        do {
            let lost = try await spool.add(events)
            tally.recordDropped(lost, .backlogFull)
            if lost > 0 { troubleLog.report(.full, cause: "the spool has its greatest size") }
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
            // Another sink may have given the spool up since.
            if await keep(rest) { return }
            rest = await deliver(young(rest), isLast: true)
        }
        if !rest.isEmpty, await keep(rest) { return }
        tally.recordDropped(rest.count, Task.isCancelled ? .closed : .expired)
    }

    /// Tries the next portion of the spool; false when there is nothing to do before the worker is woken.
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

    /// The events that the endpoint would not ignore for their age; the others are counted as lost.
    private func young(_ events: [GoogleAnalyticsEvent]) -> [GoogleAnalyticsEvent] {
        let cutoff = GoogleAnalyticsEvent.microseconds(environment.now() - GoogleAnalyticsLimits.age / .seconds(1))
        let young = events.filter { $0.timestamp >= cutoff }
        tally.recordDropped(events.count - young.count, .expired)
        return young
    }

    /// Sends the events, a few requests at a time, until one fails.
    ///
    /// - Parameters:
    ///   - isLast: whether no others wait.
    ///   - isHeldOff: whether the events that have to wait do so for a pause of their own.
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
