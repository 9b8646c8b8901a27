internal import Concurrency
internal import Configuration
internal import Logging
internal import Networking
internal import TestSupport
internal import Testing

@testable internal import Analytics

@Suite(.timeLimit(.minutes(1)))
struct GoogleAnalyticsDeliveryTests {
    /// A backlog that takes everything, and has what was handed out always stay.
    private final class StuckBacklog: EventBacklog {
        private struct Stuck: Error {}

        let waiting = Observed<[GoogleAnalyticsEvent]>([])

        var size: Int { waiting.value.count }

        func add(_ events: [GoogleAnalyticsEvent]) async -> Bool {
            waiting.update { $0 += events }
            return true
        }

        func withOldest(
            since cutoff: Int64, deliver: @Sendable (BacklogPortion) async -> [GoogleAnalyticsEvent]
        ) async throws -> BacklogLook {
            guard !waiting.value.isEmpty else { return .nothing }
            _ = await deliver(BacklogPortion(events: waiting.value, isSuspect: false))
            throw Stuck()
        }

        func close() async {}
    }

    @Test("that the backlog cannot be changed does not end an outage: new events go there without a try")
    func outageBehindStuckBacklog() async throws {
        try await GoogleAnalyticsStand.with { stand in
            stand.google.mood = .answering(status: 503)
            try await withResources(stand.log) { resources in
                let assembly = Assembly(resources: resources)
                let logger = assembly.resource(Logger.self)
                let state = DeliveryState(name: "s", logger: logger)
                let delivery = GoogleAnalyticsDelivery(
                    endpoint: GoogleAnalyticsEndpoint(
                        client: assembly.resource(HTTPClient.self), url: stand.google.url, measurementID: "G-TEST1",
                        secret: Credential(Secret(GoogleAnalyticsStandIn.secret), logger: logger),
                        timeout: .seconds(20)),
                    backlog: StuckBacklog(), tally: AnalyticsTally(), state: state,
                    environment: AnalyticsEnvironment(
                        clock: stand.clock, now: { stand.wallClock.now }, jitter: { 1 }, rescan: nil))
                delivery.start()
                await delivery.take(makeGoogleEvents(0..<1))
                await stand.clock.waitForSleepers()
                stand.clock.advance(by: .seconds(1))
                // The first line is the outage's, the second the backlog's.
                await stand.log.wait(lines: 2)
                await stand.clock.waitForSleepers()
                #expect(state.isDown)
                await delivery.take(makeGoogleEvents(1..<2))
                #expect(stand.google.asked == 2)
                await delivery.close(within: .seconds(60))
            }
        }
    }
}
