package import Configuration
internal import FoundationEssentials
internal import Logging
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
package struct GoogleAnalyticsWriter: AnalyticsWriter {
    package static let spec = ComponentSpec<SinkFamily>(
        type: "google_analytics",
        summary: "sends events to Google Analytics 4 by the Measurement Protocol",
        fields: [.required("measurement_id", .string, "the stream that counts them: G- and some letters and digits")]
            + FieldSpec.secretOrFile("api_secret", "the stream's secret for the Measurement Protocol") + [
                .defaulted("endpoint", .url, "https://www.google-analytics.com/mp/collect", "where they are sent"),
                .defaulted("timeout", .duration, "5s", "for one request"),
                .optional("client_id", .string, "whom they are counted for; made up at each start where it is absent"),
                .optional(
                    "spool", .path,
                    "a directory where they wait while they cannot be sent, up to 72 hours and over restarts; "
                        + "without it they wait in memory, where a batch is tried for some 40 minutes and then "
                        + "dropped and counted"),
                .defaulted("spool_size", .size, "64MiB", "how much may wait there"),
            ],
        example: "{ type: google_analytics, measurement_id: G-ABC1234567, api_secret: \"${LARDER_API_SECRET}\" }",
        plan: { reader in
            let (name, measurementID) = (reader.name, reader.string("measurement_id"))
            let secret = reader.credential("api_secret")
            let url = reader.sendableURL("endpoint", advice: "the secret alone is sent")
            let timeout = reader.duration("timeout", in: .milliseconds(1)...)
            let clientID = reader.optionalString("client_id")
            let spool = reader.optionalPath("spool")
            let spoolSize = reader.size("spool_size", in: (1 << 20)...)
            if measurementID.wholeMatch(of: /G-[A-Z0-9]+/) == nil {
                let problem = "a measurement id is G- and then capital letters and digits"
                reader.report(.error, at: "measurement_id", problem)
            }
            if url.contains(where: { $0 == "?" || $0 == "#" }) {
                reader.report(.error, at: "endpoint", "\"endpoint\" has a query or fragment")
            }
            if let clientID, clientID.wholeMatch(of: /[!-~]{1,100}/) == nil {
                reader.report(.error, at: "client_id", "a client id is 1 to 100 visible ASCII characters")
            }
            if spool == nil, reader.has("spool_size") {
                reader.report(.warning, at: "spool_size", "without a \"spool\" nothing has this size")
            }
            return { assembly in
                let environment = assembly.optionalResource(AnalyticsEnvironment.self) ?? AnalyticsEnvironment()
                var logger = assembly.resource(Logger.self)
                logger[metadataKey: "sink"] = "\(name)"
                let troubles = TroubleLog(logger)
                let endpoint = GoogleAnalyticsEndpoint(
                    client: assembly.resource(HTTPClient.self), url: "\(url)?measurement_id=\(measurementID)",
                    secret: secret(assembly), timeout: timeout)
                return QueuedAnalyticsSink.started(name: name, in: assembly) { tally in
                    let writer = GoogleAnalyticsWriter(
                        clientID: clientID ?? clientIDOfThisProcess, endpoint: endpoint,
                        // By stream, so that a changed config never sends events to another one.
                        spool: spool.map {
                            EventSpool(
                                directory: "\($0)/\(measurementID)", limit: spoolSize, environment: environment)
                        },
                        tally: tally, troubles: troubles, health: DeliveryHealth(troubles), environment: environment)
                    // Not earlier: a graph may be made for a look only.
                    assembly.background("delivery of sink \(name)") { writer.start() }
                    return writer
                } closing: {
                    await $0.close(within: .milliseconds(500))
                }
            }
        })

    /// Made up once in a process, in the form of web pages: a random number and the time.
    private static let clientIDOfThisProcess =
        "\(UInt32.random(in: 1...0x7FFF_FFFF)).\(Int(Date().timeIntervalSince1970))"

    private static let width = 4
    /// Tries of a batch without a spool, over some 40 minutes where the endpoint asks for no other pauses.
    private static let tries = 25
    /// Pause before another look at a spool that cannot be used.
    private static let pauseOfSpool: Duration = .seconds(60)

    let clientID: String
    let endpoint: GoogleAnalyticsEndpoint
    let spool: EventSpool?
    let tally: AnalyticsTally
    let troubles: TroubleLog
    let health: DeliveryHealth
    let environment: AnalyticsEnvironment
    private let worker = WokenTask()

    package var backlogBytes: Int? { spool?.size ?? 0 }

    /// Delivers the events or puts them into the spool. A batch of which neither is possible is retried for some time.
    package func write(_ batch: [AnalyticsEvent]) async {
        let events = batch.compactMap { GoogleAnalyticsEvent($0, clientID: clientID) }
        tally.noteDropped(batch.count - events.count, .invalid)
        let rest = health.isDown || Task.isCancelled ? events : await deliver(events, isLast: backlogBytes == 0)
        if !rest.isEmpty, await !keep(rest) { await retry(rest) }
    }

    /// Begins to work off the spool, with what an earlier process has left in it. Call once, when the sink is in use.
    func start() {
        guard let spool else { return }
        worker.start {
            while !worker.isClosed, await workOff(spool) {}
            if worker.isClosed { await spool.close() }
        }
        worker.wake()
    }

    /// Returns when the delivery under way has ended, which is cancelled after half of the deadline. A pause between
    /// tries ends at once.
    func close(within deadline: Duration) async {
        let patience = health.isDown ? .zero : deadline / 2
        await worker.close(within: deadline, patience: patience, clock: environment.clock)
    }

    /// Puts events into the spool, or drops what it has no room for; false without a spool that can be used.
    private func keep(_ events: [GoogleAnalyticsEvent]) async -> Bool {
        guard let spool else { return false }
        defer { worker.wake() }
        do {
            let lost = try await spool.add(events)
            tally.noteDropped(lost, .backlogFull)
            if lost > 0 { troubles.report(.full, isSo: true) }
            troubles.report(.notKept, isSo: false)
        } catch is EventSpool.InUse {
            return false
        } catch {
            tally.noteDropped(events.count, AnalyticsDropReason(writing: error))
            troubles.report(.notKept, isSo: true, ["error": "\(error)"])
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
        tally.noteDropped(rest.count, Task.isCancelled ? .closed : .expired)
    }

    /// Tries the next portion of the spool; false when there is nothing to do before the worker is woken.
    private func workOff(_ spool: EventSpool) async -> Bool {
        do {
            try await environment.clock.sleep(for: health.pause(jitter: environment.jitter()))
            health.letTry()
            guard let portion = try await spool.next() else {
                troubles.report(.notRead, isSo: false)
                if let pause = try await spool.pause() {
                    worker.wake(after: pause, clock: environment.clock)
                } else {
                    troubles.report(.full, isSo: false)
                }
                return false
            }
            tally.noteDropped(portion.unreadable, .invalid)
            let rest = await deliver(
                young(portion.events), isLast: spool.size <= portion.size, isHeldOff: true)
            try await spool.settle(portion, keeping: rest)
            return true
        } catch is CancellationError {
            return false
        } catch {
            troubles.report(.notRead, isSo: true, ["error": "\(error)"])
            return (try? await environment.clock.sleep(for: Self.pauseOfSpool)) != nil
        }
    }

    /// The events that the endpoint would not ignore for their age; the others are counted as lost.
    private func young(_ events: [GoogleAnalyticsEvent]) -> [GoogleAnalyticsEvent] {
        let cutoff = GoogleAnalyticsEvent.microseconds(environment.now() - GoogleAnalyticsLimits.age / .seconds(1))
        let young = events.filter { $0.timestamp >= cutoff }
        tally.noteDropped(events.count - young.count, .expired)
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
        tally.noteDropped(tooLarge, .tooLarge)
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
                    case .delivered: tally.noteSent(pack.events.map(\.name))
                    case .refused: tally.noteDropped(pack.events.count, .refused)
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
