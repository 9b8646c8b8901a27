/// The graph of providers. A component is named by its label or, where it stands within another, by the way to it, such
/// as `remote.upstream`.
extension MetricDescription {
    static let answers = MetricDescription(
        "larder_answers", .counter,
        "Catalogues that requests were answered from, those of callers who opt out of analytics included: where they "
            + "came from, and how fresh they were.")
    static let ready = MetricDescription(
        "larder_ready", .gauge,
        "Whether there is a catalogue to serve, which is what /readyz tells as long as the service is not stopping.")
    static let snapshotAge = MetricDescription(
        "larder_snapshot_age_seconds", .gauge,
        "How long ago the source confirmed the catalogue that is kept, of several variants the oldest; it grows where "
            + "nobody asks, too, without any failure.")
    static let snapshotLastSuccess = MetricDescription(
        "larder_snapshot_last_success_timestamp_seconds", .gauge,
        "When the source confirmed the catalogue that is kept, of several variants the oldest; it stands still where "
            + "nobody asks, too, without any failure.")
    static let snapshotExpiry = MetricDescription(
        "larder_snapshot_expiry_timestamp_seconds", .gauge,
        "When the catalogue that is kept may no longer be served unless its source confirms it again, of several "
            + "variants the earliest; in seconds since 1970.")
    static let snapshotProducts = MetricDescription(
        "larder_snapshot_products", .gauge,
        "Products that a provider keeps and may serve, of several variants the fewest, or that clients got last; 0 when "
            + "nothing may be served.")
    static let snapshotInfo = MetricDescription(
        "larder_snapshot", .info, "The revision of the catalogue that is kept, one for each variant.")
    static let memory = MetricDescription(
        "larder_memory_bytes", .gauge,
        "Memory that is held to answer from: catalogues as they are stored, whole answers in every view and coding, "
            + "answers to single questions, and indexes for queries; of answers also what is replaced and still being "
            + "sent. The products themselves take some three times what their catalogue does.")
    static let refreshes = MetricDescription(
        "larder_refresh", .counter, "Times that the kept catalogue was asked for anew, by what came of it.")
    static let refused = MetricDescription(
        "larder_refused", .counter, "Catalogues that arrived whole and were not believed, by reason.")
    static let upstreamRequests = MetricDescription(
        "larder_upstream_requests", .counter, "Requests to upstreams, each page being one, by outcome.")
    static let upstreamRequestDuration = MetricDescription(
        "larder_upstream_request_duration_seconds", .histogram,
        "How long an upstream took for a whole response, or until the request failed.")
    static let breakerState = MetricDescription(
        "larder_breaker_state", .gauge, "1 for the state in which the circuit breaker is, 0 for the others.")
    static let reachable = MetricDescription(
        "larder_reachable", .gauge, "Whether the monitor takes what it watches for reachable.")
}
