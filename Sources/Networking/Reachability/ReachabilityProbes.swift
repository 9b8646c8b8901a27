public import Configuration

/// One look at whether an upstream is there.
public protocol ReachabilityProbe: Sendable {
    /// Tries once, within its own timeout.
    func succeeds() async -> Bool
    /// Tries once as well, and tells in words what went wrong; nil when nothing did.
    func problem() async -> String?
}

extension ReachabilityProbe {
    /// No more than that the probe failed.
    public func problem() async -> String? {
        await succeeds() ? nil : "the probe failed"
    }
}

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

/// Connects and hangs up. Says that somebody listens, at next to no cost for the upstream.
public struct TCPReachabilityProbe: ReachabilityProbe {
    /// `type: tcp` in the `monitors:` section.
    public static let spec = ComponentSpec<MonitorFamily>(
        type: "tcp",
        summary: "reachable while an address takes TCP connections",
        fields: [.required("address", .address, "Where to connect to, as host:port.")] + PollingSettings.fields,
        example: "{ type: tcp, address: \"shop.example:80\", interval: 2s, rise: 1 }",
        plan: { reader in
            let address = reader.address("address")
            let settings = PollingSettings(reader)
            return { assembly in
                let probe = TCPReachabilityProbe(
                    client: assembly.resource(HTTPClient.self), host: address.host, port: address.port,
                    timeout: settings.timeout)
                return settings.monitor(probe, in: assembly)
            }
        })

    private let client: HTTPClient
    private let host: String
    private let port: Int
    private let timeout: Duration

    /// Creates a probe of an address; `timeout` covers resolving the host's name.
    public init(client: HTTPClient, host: String, port: Int, timeout: Duration) {
        self.client = client
        self.host = host
        self.port = port
        self.timeout = timeout
    }

    /// Whether the connection stood in time.
    public func succeeds() async -> Bool {
        await problem() == nil
    }

    /// Why there was no connection in time.
    public func problem() async -> String? {
        do {
            try await client.connect(to: host, port: port, timeout: timeout)
            return nil
        } catch {
            return "\(error)"
        }
    }
}

/// The statuses that a probe takes for health, written `200-399` or `204`.
struct StatusRange: Sendable {
    static let all = 100...599
    let statuses: ClosedRange<Int>

    /// Nil when the text is no such range.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in part.count == 3 ? Int(part).flatMap { $0 < 0 ? nil : $0 } : nil }
        guard (1...2).contains(parts.count), numbers.count == parts.count, let first = numbers.first,
            let last = numbers.last, first <= last, Self.all.contains(first), Self.all.contains(last)
        else { return nil }
        statuses = first...last
    }
}
