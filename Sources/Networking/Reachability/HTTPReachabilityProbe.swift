public import Configuration

/// Asks a URL and looks at the status of the answer, redirects not followed. Says that the upstream works, not only
/// that it listens.
public struct HTTPReachabilityProbe: ReachabilityProbe {
    /// `type: http` in the `monitors:` section.
    public static let spec = ComponentSpec<MonitorFamily>(
        type: "http",
        summary: "reachable while a URL answers with an expected status",
        fields: [
            .required("url", .url, "What to ask, by GET."),
            .defaulted("expect", .string, "200-399", "The statuses that count as success: one, or the first and last."),
        ] + PollingSettings.fields,
        example: "{ type: http, url: \"http://shop.example/health\", expect: 200-204 }",
        plan: { reader in
            let url = reader.sendableURL("url", advice: "a monitor sends none")
            let expected = StatusRange(reader.string("expect"))
            if expected == nil {
                reader.report(.error, at: "expect", "bad status range; write it like 200-399 or 204")
            }
            let settings = PollingSettings(reader)
            return { assembly in
                let probe = HTTPReachabilityProbe(
                    client: assembly.resource(HTTPClient.self), url: url,
                    expected: expected?.statuses ?? StatusRange.all, timeout: settings.timeout)
                return settings.monitor(probe, in: assembly)
            }
        })

    private let client: HTTPClient
    private let request: HTTPClientRequest
    private let expected: ClosedRange<Int>
    /// Bodies up to this size are read to their end, so that the connection can be kept for the next probe.
    private static let patience = 64 * 1024

    /// Creates a probe of a URL; `timeout` covers the whole exchange.
    public init(client: HTTPClient, url: String, expected: ClosedRange<Int>, timeout: Duration) {
        self.client = client
        self.expected = expected
        request = HTTPClientRequest(
            url: url, limits: HTTPClientLimits(connectTimeout: timeout, timeout: timeout, body: Self.patience),
            followsRedirects: false, discardsBody: true)
    }

    /// Whether a response came in time, with an expected status.
    public func succeeds() async -> Bool {
        await problem() == nil
    }

    /// Why there was no response in time, or which one there was.
    public func problem() async -> String? {
        do {
            let status = try await client.send(request).status
            return expected.contains(status) ? nil : "\(status) from \(request.place)"
        } catch {
            return "\(error)"
        }
    }
}
