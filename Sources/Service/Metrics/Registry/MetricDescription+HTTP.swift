/// The port `http.listen`; that of operators is not counted.
extension MetricDescription {
    static let httpRequests = MetricDescription(
        "larder_http_requests", .counter,
        "Requests on the port for clients that a handler answered, by the pattern of the route, the method and the "
            + "status; of one whose time ran out what the handler came to, though the client got a 504.")
    static let httpRequestDuration = MetricDescription(
        "larder_http_request_duration_seconds", .histogram,
        "How long handlers took for their answers, those that came too late included, without reading the request and "
            + "sending the answer.")
    static let httpConnections = MetricDescription(
        "larder_http_connections", .gauge, "Connections that clients have open.")
    static let httpRejected = MetricDescription(
        "larder_http_rejected", .counter,
        "Requests that the server answered itself, in place of a handler or because one took too long, connections "
            + "that it ended early, and attempts to accept one that failed, by reason.")
    static let tlsCertificateNotAfter = MetricDescription(
        "larder_tls_certificate_not_after_timestamp_seconds", .gauge,
        "When the certificate expires that new connections are encrypted by, in seconds since 1970.")
}
