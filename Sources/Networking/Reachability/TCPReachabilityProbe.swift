public import Configuration

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
