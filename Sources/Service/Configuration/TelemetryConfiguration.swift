internal import Configuration
internal import Logging
internal import Networking
internal import Products
internal import Telemetry
internal import Text
internal import Tracing
internal import Wiring

/// The config file's `telemetry:`: what is exported to a collector.
package struct TelemetryConfiguration: Sendable {
    /// The failing requests that are recorded.
    private enum Failures: String, CaseIterable {
        case always, sampled
    }

    /// The traces that are recorded; nil for none.
    let rules: TraceRules?
    let exportsMetrics: Bool
    let exportsLogs: Bool
    private let url: String
    private let headers: [HTTPHeader]
    private let connection: ConfiguredConnection
    private let secrets: [Secret]

    static let fields: [FieldSpec] = [
        .optional("otlp", .object(otlpFields), "the collector, which is asked by OTLP over HTTP with JSON")
    ]

    private static let otlpFields: [FieldSpec] =
        [
            .required(
                "endpoint", .urlOf(["http", "https"], like: "https://collector:4318", or: "unix:"),
                "where /v1/traces, /v1/metrics and /v1/logs are; or unix:/run/collector.sock"),
            .optional("headers", .map(.string), "sent with every request, such as the token of a vendor"),
            .defaulted("traces", .unlessOff(traceFields), "{}", "the requests and refreshes that are recorded"),
            .defaulted("metrics", .boolean, "true", "whether all metrics are sent every 15 seconds"),
            .defaulted("logs", .boolean, "false", "whether the lines of the log are sent, as they are written"),
        ] + ConfiguredConnection.fields

    private static let traceFields: [FieldSpec] = [
        .defaulted(
            "sample", .ratio, "0.01", "the share of requests, from 0 to 1, unless a caller's traceparent decides"),
        .defaulted(
            "parent", .choice(TraceRules.Parent.self), "trusted",
            "the callers whose traceparent decides: all, or none, or those in http.trusted_proxies"),
        .defaulted(
            "errors", .choice(Failures.self), "always",
            "whether requests that end with 500 or more, and failed refreshes, are recorded in any case or as others"),
    ]

    /// Reads the section; nil without a collector.
    init?(_ root: FieldReader) {
        guard let reader = root.optionalObject("telemetry")?.optionalObject("otlp") else { return nil }
        let (url, socket) = reader.upstreamURL("endpoint", advice: "give them by \"headers\" instead")
        self.url = url
        if url.contains(where: { $0 == "?" || $0 == "#" }) {
            reader.report(.error, at: "endpoint", "\"endpoint\" has a query or fragment")
        }
        headers = reader.headers("headers")
        connection = ConfiguredConnection(reader, url: url, from: "endpoint", unixSocket: socket)
        secrets =
            reader.secretsByName("headers") + connection.secrets
            + (socket == nil ? reader.secretsBehindHost(of: "endpoint", baseURL: url) : [])
        rules = reader.objectUnlessOff("traces").map { traces in
            TraceRules(
                TraceSampling(traces.ratio("sample")), parent: traces.choice("parent", TraceRules.Parent.self),
                recordsFailures: traces.choice("errors", Failures.self) == .always)
        }
        exportsMetrics = reader.boolean("metrics")
        exportsLogs = reader.boolean("logs")
        if reader.isSound, rules == nil, !exportsMetrics, !exportsLogs {
            reader.report(.warning, at: "metrics", "no traces, metrics or logs are sent to \"endpoint\"")
        }
    }

    /// Makes the client of the collector: the shared one, or one to be shut down by the caller.
    func client(beside shared: HTTPClient, logger: Logger) -> HTTPClient {
        connection.client(beside: shared, logger: logger)
    }

    func endpoint(_ client: HTTPClient) -> OTLPEndpoint {
        OTLPEndpoint(client: client, url: url, headers: headers, secrets: secrets)
    }
}
