package import Text

/// Checks once whether an upstream works.
package protocol ReachabilityProbe: Sendable {
    /// Probes within its own timeout.
    /// - Returns: the fault in words; nil on success.
    func problem() async -> String?
}

/// Requests a URL and checks the status, without following redirects. Shows that the upstream works, not only that it
/// listens.
package struct HTTPReachabilityProbe: ReachabilityProbe {
    private let client: HTTPClient
    private let request: HTTPClientRequest
    private let expected: ClosedRange<Int>
    private let redaction: Redaction
    /// Bodies up to this size are read to their end, so that the connection can be reused by the next probe.
    private static let byteLimit = 64 * 1024

    /// - Parameters:
    ///   - timeout: for the whole exchange.
    ///   - secrets: parts of the URL to keep out of messages.
    package init(
        client: HTTPClient, url: String, expected: ClosedRange<Int>, timeout: Duration, secrets: [Secret] = []
    ) {
        self.client = client
        self.expected = expected
        redaction = Redaction(secrets.map { $0.reveal() })
        request = HTTPClientRequest(
            url: url, limits: HTTPClientLimits(connectTimeout: timeout, timeout: timeout, body: Self.byteLimit),
            followsRedirects: false, discardsBody: true)
    }

    package func problem() async -> String? {
        do {
            let status = try await client.send(request).status
            return expected.contains(status) ? nil : redaction.applied(to: "\(status) from \(request.place)")
        } catch {
            return redaction.applied(to: "\(error)")
        }
    }
}

/// Connects and closes. Shows that a process listens, at almost no cost for the upstream.
package struct TCPReachabilityProbe: ReachabilityProbe {
    let client: HTTPClient
    let host: String
    let port: Int
    /// Covers resolving the host's name.
    let timeout: Duration

    package init(client: HTTPClient, host: String, port: Int, timeout: Duration) {
        self.client = client
        self.host = host
        self.port = port
        self.timeout = timeout
    }

    package func problem() async -> String? {
        do {
            try await client.connect(to: host, port: port, timeout: timeout)
            return nil
        } catch {
            return "\(error)"
        }
    }
}
