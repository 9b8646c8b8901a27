/// Where events wait that could not be delivered.
protocol EventBacklog: Sendable {
    /// About how many bytes wait, in so far as that is known without waiting for a disk.
    var size: Int { get }

    /// Adds events, as far as there is room; the others are counted as lost.
    ///
    /// - Returns: whether there was room for all.
    /// - Throws: what else kept some of them from being added, which are counted as well.
    func add(_ events: [GoogleAnalyticsEvent]) async throws -> Bool

    /// Hands some events to `deliver`, and goes on to keep those that it gives back.
    ///
    /// Those that have waited for longer come first, in so far as a backlog keeps them apart: one that keeps them in
    /// files begins with the oldest file, and there with the last portion. Those that could not be delivered several
    /// times stand behind all others.
    ///
    /// - Parameters:
    ///   - cutoff: the age, as microseconds since 1970, from which an event is worth a try. Older ones are counted as
    ///     lost.
    /// - Throws: what kept events from being looked at, when there are no others, or from being taken away.
    func withOldest(
        since cutoff: Int64, deliver: @Sendable (BacklogPortion) async -> [GoogleAnalyticsEvent]
    ) async throws -> BacklogLook

    /// Counts as lost what would not outlast the process, now and later, and lets others have what would.
    func close() async
}
