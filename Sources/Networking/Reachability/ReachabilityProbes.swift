internal import Configuration

/// Checks once whether an upstream works.
protocol ReachabilityProbe: Sendable {
    /// Probes within its own timeout.
    /// - Returns: the fault in words; nil on success.
    func problem() async -> String?
}

/// Requests a URL and checks the status, without following redirects. Shows that the upstream works, not only that it
/// listens.
struct HTTPReachabilityProbe: ReachabilityProbe {
    static let spec = ComponentSpec<MonitorFamily>(
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
    /// Bodies up to this size are read to their end, so that the connection can be reused by the next probe.
    private static let patience = 64 * 1024

    /// - Parameter timeout: for the whole exchange.
    init(client: HTTPClient, url: String, expected: ClosedRange<Int>, timeout: Duration) {
        self.client = client
        self.expected = expected
        request = HTTPClientRequest(
            url: url, limits: HTTPClientLimits(connectTimeout: timeout, timeout: timeout, body: Self.patience),
            followsRedirects: false, discardsBody: true)
    }

    func problem() async -> String? {
        do {
            let status = try await client.send(request).status
            return expected.contains(status) ? nil : "\(status) from \(request.place)"
        } catch {
            return "\(error)"
        }
    }
}

/// Connects and closes. Shows that a process listens, at almost no cost for the upstream.
struct TCPReachabilityProbe: ReachabilityProbe {
    static let spec = ComponentSpec<MonitorFamily>(
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

    let client: HTTPClient
    let host: String
    let port: Int
    /// Covers resolving the host's name.
    let timeout: Duration

    func problem() async -> String? {
        do {
            try await client.connect(to: host, port: port, timeout: timeout)
            return nil
        } catch {
            return "\(error)"
        }
    }
}

/// The expected statuses of a probe, written `200-399` or `204`.
struct StatusRange: Sendable {
    static let all = 100...599
    let statuses: ClosedRange<Int>

    /// Nil for an invalid range.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in part.count == 3 ? Int(part).flatMap { $0 < 0 ? nil : $0 } : nil }
        guard (1...2).contains(parts.count), numbers.count == parts.count, let first = numbers.first,
            let last = numbers.last, first <= last, Self.all.contains(first), Self.all.contains(last)
        else { return nil }
        statuses = first...last
    }
}
