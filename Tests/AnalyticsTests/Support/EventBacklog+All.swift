internal import TestSupport

@testable internal import Analytics

/// Events called `e0`, `e1`, ….
func makeGoogleEvents(_ numbers: Range<Int>) -> [GoogleAnalyticsEvent] {
    numbers.compactMap { GoogleAnalyticsEvent(makeEvent("e\($0)"), clientID: "c") }
}

extension EventBacklog {
    /// Hands some events to `deliver`, whether they are suspect or not.
    ///
    /// - Returns: whether there were any.
    func withOldestEvents(
        since cutoff: Int64, deliver: @Sendable ([GoogleAnalyticsEvent]) async -> [GoogleAnalyticsEvent]
    ) async throws -> Bool {
        try await withOldest(since: cutoff) { await deliver($0.events) } != .nothing
    }
}

/// The names of all events that can be had from a backlog, a portion each.
func takeAll(_ backlog: any EventBacklog, since cutoff: Int64 = 0) async throws -> [[String]] {
    let portions = Observed<[[String]]>([])
    while try await backlog.withOldestEvents(
        since: cutoff,
        deliver: { events in
            portions.update { $0.append(events.map(\.name)) }
            return []
        })
    {}
    return portions.value
}
