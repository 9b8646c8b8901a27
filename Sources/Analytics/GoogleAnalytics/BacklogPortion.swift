/// Events that waited and are tried again.
struct BacklogPortion: Sendable {
    let events: [GoogleAnalyticsEvent]
    /// Whether they could not be delivered several times, and all others that wait could. So they may be what is wrong,
    /// and not the endpoint.
    let isSuspect: Bool
}
