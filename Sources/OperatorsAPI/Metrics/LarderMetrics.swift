internal import Access
internal import Fleet
internal import HTTPServer
internal import Networking
internal import Persistence
internal import Products
package import Prometheus
internal import Providers
internal import Serving
internal import Telemetry
internal import Upstreams
internal import Webhooks

extension MetricDescription {
    /// All families that the service itself exposes.
    package static let known: [MetricDescription] =
        MetricDescription.process + [
            httpRequests, httpRequestDuration, httpConnections, httpHandled, httpRejected, tlsCertificateNotAfter,
            answers, ready, snapshotAge, snapshotLastSuccess, snapshotExpiry, snapshotProducts, snapshotInfo, memory,
            refreshes, refused, quarantined, upstreamRequests, upstreamRequestDuration, expandedMembers,
            breakerState, reachable,
            storeGenerations, generation, pinned, pinnedSince, troubleSince, storeFailures, storeSaving,
            analyticsEvents, analyticsDropped,
            analyticsQueued, analyticsBacklogBytes, logDropped, sharedConnected, sharedLeaseHeld, sharedCommits,
            sharedReads, sharedGeneration, sharedLag, sharedClock, sharedPropagation, build,
            configLastReloadSuccessful, configLastReloadSuccess, config, hooks, apiKeyRequests,
            telemetryExports, telemetrySpans, telemetryLogRecords, telemetryDropped,
        ]
}

/// The port `http.listen`. The operators' port is not counted.
extension MetricDescription {
    static let httpRequests = MetricDescription(
        "larder_http_requests", .counter,
        "Requests on the clients' port that a handler responded to, by the pattern of the route, the method and the "
            + "status; after a timeout the status is the handler's, although the client got a 504.")
    static let httpRequestDuration = MetricDescription(
        "larder_http_request_duration_seconds", .histogram,
        "Time that handlers took to respond, including responses that came too late, without reading the request and "
            + "sending the response.", buckets: .responses)
    static let httpConnections = MetricDescription(
        "larder_http_connections", .gauge, "Open connections of clients.")
    static let httpHandled = MetricDescription(
        "larder_http_handled", .counter,
        "Requests that reached a handler, by path: the fast path for requests that are answered at once, or "
            + "evhttp.")
    static let httpRejected = MetricDescription(
        "larder_http_rejected", .counter,
        "Requests that the server answered instead of a handler or because a handler took too long, connections "
            + "that it closed early, and failed attempts to accept a connection, by reason.")
    static let tlsCertificateNotAfter = MetricDescription(
        "larder_tls_certificate_not_after_timestamp_seconds", .gauge,
        "Expiry of the certificate for new connections, in seconds since 1970.")
}

/// The graph of providers. A component without a label is named by its path from a labelled one, with the type in place
/// of each `upstream`, such as `remote.http`.
extension MetricDescription {
    static let ready = MetricDescription(
        "larder_ready", .gauge,
        "Whether there is a catalogue to serve; the same as /readyz unless the service is stopping.")
    static let snapshotAge = MetricDescription(
        "larder_snapshot_age_seconds", .gauge,
        "Time since the source confirmed the kept catalogue, of several variants the oldest; it also grows without "
            + "requests, which is not a failure.")
    static let snapshotLastSuccess = MetricDescription(
        "larder_snapshot_last_success_timestamp_seconds", .gauge,
        "Time at which the source confirmed the kept catalogue, of several variants the oldest; it stays without "
            + "requests, which is not a failure.")
    static let snapshotExpiry = MetricDescription(
        "larder_snapshot_expiry_timestamp_seconds", .gauge,
        "Time after which the kept catalogue is not served unless its source confirms it again, of several "
            + "variants the earliest; in seconds since 1970.")
    static let snapshotProducts = MetricDescription(
        "larder_snapshot_products", .gauge,
        "Products that a provider keeps and may serve, of several variants the fewest, or last sent to clients; 0 if "
            + "nothing may be served.")
    static let snapshotInfo = MetricDescription(
        "larder_snapshot", .info, "The revision of the kept catalogue, one for each variant.")
    static let memory = MetricDescription(
        "larder_memory_bytes", .gauge,
        "Memory for responses: catalogues as stored, whole responses in every view and coding, "
            + "responses to single queries, and indexes for queries; also replaced responses that are still being "
            + "sent.")
    static let quarantined = MetricDescription(
        "larder_quarantined", .gauge,
        "Whether the provider keeps a refused catalogue, which an operator may accept.")
    static let breakerState = MetricDescription(
        "larder_breaker_state", .gauge, "1 for the current state of the circuit breaker, 0 for the others.")
    static let reachable = MetricDescription(
        "larder_reachable", .gauge, "Whether the monitor considers its target reachable.")
}

/// Stores, analytics and the log.
extension MetricDescription {
    static let storeGenerations = MetricDescription(
        "larder_store_generations", .gauge, "Generations of the catalogue that the store holds.")
    static let generation = MetricDescription(
        "larder_generation", .gauge, "The number of the newest generation in the store; it only grows.")
    static let pinned = MetricDescription(
        "larder_pinned", .gauge,
        "Whether an operator pinned a generation of the store, which the memory above serves whatever the upstream has."
    )
    static let pinnedSince = MetricDescription(
        "larder_pinned_since_timestamp_seconds", .gauge,
        "Time of the pin in force, in seconds since 1970; absent without one.")
    static let troubleSince = MetricDescription(
        "larder_trouble_since_timestamp_seconds", .gauge,
        "Beginning of a known trouble, by its kind and the part that reports it, in "
            + "seconds since 1970; absent while all is well.")
    static let storeSaving = MetricDescription(
        "larder_store_saving_seconds", .gauge, "Time for which the current save has been running; 0 without one.")
    static let analyticsEvents = MetricDescription(
        "larder_analytics_events", .counter, "Events that reached their destination, by their names.")
    static let analyticsDropped = MetricDescription(
        "larder_analytics_dropped", .counter, "Events that were lost, by reason.")
    package static let logDropped = MetricDescription(
        "larder_log_dropped", .counter, "Lines of the log that were lost, by reason.")
    static let analyticsQueued = MetricDescription(
        "larder_analytics_queued", .gauge, "Events in the queue of the sink.")
    static let analyticsBacklogBytes = MetricDescription(
        "larder_analytics_backlog_bytes", .gauge, "Bytes of undelivered events that wait for another try.")
}

/// Stores that several replicas share.
extension MetricDescription {
    static let sharedConnected = MetricDescription(
        "larder_shared_connected", .gauge,
        "Whether the replica is connected to the shared store and receives its announcements.")
    static let sharedLeaseHeld = MetricDescription(
        "larder_shared_lease_held", .gauge, "Whether the replica has the turn to refresh for the fleet.")
    static let sharedGeneration = MetricDescription(
        "larder_shared_generation", .gauge,
        "The number of the shared store's catalogue that the replica serves; 0 if it serves another one.")
    static let sharedLag = MetricDescription(
        "larder_shared_revision_lag_seconds", .gauge,
        "Time for which the replica has known of a newer catalogue without serving it.")
    static let sharedClock = MetricDescription(
        "larder_shared_clock_difference_seconds", .gauge,
        "Difference of this machine's clock to the shared store's; positive if ahead, absent if unknown.")
}

/// The program and its config.
extension MetricDescription {
    static let build = MetricDescription(
        "larder_build", .info,
        "The versions of the program, its compiler and libevent.")
    package static let configLastReloadSuccessful = MetricDescription(
        "larder_config_last_reload_successful", .gauge,
        "Whether the last attempt to load the config succeeded; after a failure the previous config stays in force.")
    package static let configLastReloadSuccess = MetricDescription(
        "larder_config_last_reload_success_timestamp_seconds", .gauge,
        "Time at which the config in force was loaded, in seconds since 1970.")
    package static let config = MetricDescription(
        "larder_config", .info, "The SHA-256 of the config file in force, without the variables and files it names.")
}

/// This program's version.
package enum LarderVersion {
    package static let current = "0.1.0"
}

/// Exposes the versions of the program and of its parts.
package struct BuildCollector: MetricsCollector {
    package init() {}

    package func families() async -> [MetricFamily] {
        let versions = MetricSeries(
            [
                "version": LarderVersion.current, "swift": SwiftVersion.current,
                "libevent": HTTPServer.libeventVersion,
            ], .count(1))
        return [MetricFamily(.build, [versions])]
    }
}

/// The compiler that built the program, as far as the program can find out.
enum SwiftVersion {
    #if compiler(>=6.5)
        static let current = "6.5 or later"
    #elseif compiler(>=6.4)
        static let current = "6.4"
    #elseif compiler(>=6.3.1)
        static let current = "6.3.1"
    #else
        static let current = "6.3"
    #endif
}
