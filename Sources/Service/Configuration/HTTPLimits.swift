package import Configuration
internal import HTTPServer
package import Logging
internal import Text

/// The config file's `http.limits:`: the limits of the port for products, as described by each key.
package struct HTTPLimits: Sendable, Hashable {
    package let connections: Int
    package let connectionsPerAddress: Int
    package let outstanding: Int
    package let eventStreams: Int
    package let requestBytes: Int
    package let targetBytes: Int
    package let headerBytes: Int
    package let headers: Int
    package let headerDeadline: Duration
    package let idleTimeout: Duration
    package let writeTimeout: Duration

    /// The section's keys.
    package static let fields: [FieldSpec] = [
        .defaulted("connections", .integer, "10000", "open at once; 0 for no limit"),
        .defaulted("per_address", .integer, "0", "connections of one IPv4 address or IPv6 /64; 0 for no limit"),
        .defaulted("outstanding", .integer, "1000", "requests that wait for their answers at once; 0 for no limit"),
        .defaulted("event_streams", .integer, "1024", "streams of events open at once; 0 for no limit"),
        .defaulted(
            "request_bytes", .size, "16MiB",
            "kept of all requests that are not whole, and of bodies that wait; beyond it the oldest are closed"),
        .defaulted("target_bytes", .size, "8KiB", "path and query of a request"),
        .defaulted("header_bytes", .size, "16KiB", "request line and headers together"),
        .defaulted("headers", .integer, "100", "header fields of a request"),
        .defaulted("header_deadline", .duration, "10s", "request line and headers, from the first byte to the last"),
        .defaulted("idle_timeout", .duration, "60s", "silence between requests"),
        .defaulted("write_timeout", .duration, "30s", "a client that takes no byte of its answer"),
    ]

    /// Reads the section.
    package init(_ reader: FieldReader) {
        connections = reader.integer("connections", in: 0...1_000_000)
        connectionsPerAddress = reader.integer("per_address", in: 0...1_000_000)
        outstanding = reader.integer("outstanding", in: 0...1_000_000)
        eventStreams = reader.integer("event_streams", in: 0...1_000_000)
        requestBytes = reader.size("request_bytes", in: (64 << 10)...(1 << 30))
        targetBytes = reader.size("target_bytes", in: 64...(1 << 20))
        headerBytes = reader.size("header_bytes", in: 256...(1 << 20))
        headers = reader.integer("headers", in: 1...10_000)
        headerDeadline = reader.duration("header_deadline", in: Self.times)
        idleTimeout = reader.duration("idle_timeout", in: Self.times)
        writeTimeout = reader.duration("write_timeout", in: Self.times)
        if reader.isSound { reportContradictions(reader) }
    }

    /// Excludes zero, which might mean never or at once.
    private static let times = Duration.milliseconds(100)...Duration.seconds(86_400)

    private func reportContradictions(_ reader: FieldReader) {
        if targetBytes >= headerBytes {
            reader.report(
                .error, at: reader.has("target_bytes") ? "target_bytes" : "header_bytes",
                "header_bytes \(SizeText.format(headerBytes)) counts path and query too and leaves no room beside "
                    + "target_bytes \(SizeText.format(targetBytes)); make \"header_bytes\" the larger one")
        }
        if connections > 0, connectionsPerAddress > connections {
            reader.report(
                .error, at: "per_address",
                "per_address \(connectionsPerAddress) can never be reached with connections \(connections); "
                    + "make \"connections\" the larger one")
        }
    }

    /// Open files besides the connections of clients: ports, stores, sinks, other connections.
    private static let otherFiles = 100

    /// Warns if the process may open fewer files than the allowed connections: without descriptors, clients are turned
    /// away and upstream requests fail.
    package func check(openFiles: Double?, _ logger: Logger) {
        guard let openFiles, Double(connections + Self.otherFiles) > openFiles else { return }
        logger.warning(
            "http.limits.connections does not fit in the limit of open files",
            metadata: [
                "connections": .stringConvertible(connections), "open_files": .stringConvertible(Int(openFiles)),
                "needed": .stringConvertible(connections + Self.otherFiles),
            ])
    }
}

extension HTTPServerOptions {
    /// The options of the config's `http:` section. Probes are served under any load, since a restart would not help.
    init(_ configuration: HTTPConfiguration) {
        self.init()
        let limits = configuration.limits
        maximumConnections = limits.connections
        maximumConnectionsPerAddress = limits.connectionsPerAddress
        maximumOutstanding = limits.outstanding
        maximumStreams = limits.eventStreams
        maximumRequestBytes = limits.requestBytes
        maximumTargetBytes = limits.targetBytes
        maximumHeadBytes = limits.headerBytes
        maximumHeaderFields = limits.headers
        headDeadline = limits.headerDeadline
        idleTimeout = limits.idleTimeout
        writeTimeout = limits.writeTimeout
        proxies = configuration.proxies
        usesFastPath = configuration.usesFastPath
        alwaysServedPaths = ["/livez", "/readyz", "/healthz"]
        methods = [.get, .head, .options]
    }

    /// The options of the operators' port, with limits for few clients. Each port counts its own connections and
    /// requests, so that neither takes the other's share.
    var forOperators: HTTPServerOptions {
        var options = self
        options.maximumConnections = 256
        options.maximumConnectionsPerAddress = 0
        options.maximumOutstanding = 64
        options.maximumStreams = 64
        options.methods.insert(.post)
        if proxies?.naming == .proxyProtocol { options.proxies = nil }
        // Orders have their parameters in the query.
        options.maximumBodyBytes = 0
        return options
    }
}

/// The settings that take effect only at the start of the process, when ports are opened and threads started.
enum RestartOnlySettings {
    private typealias Difference = @Sendable (ServiceConfiguration, ServiceConfiguration) -> Bool

    private static let settings: [(key: String, differs: Difference)] = [
        ("http.listen", { $0.http.listen != $1.http.listen }),
        ("http.threads", { $0.http.threads != $1.http.threads }),
        ("http.limits.connections", { $0.http.limits.connections != $1.http.limits.connections }),
        ("http.limits.per_address", { $0.http.limits.connectionsPerAddress != $1.http.limits.connectionsPerAddress }),
        ("http.limits.outstanding", { $0.http.limits.outstanding != $1.http.limits.outstanding }),
        ("http.limits.event_streams", { $0.http.limits.eventStreams != $1.http.limits.eventStreams }),
        ("http.limits.request_bytes", { $0.http.limits.requestBytes != $1.http.limits.requestBytes }),
        ("http.limits.target_bytes", { $0.http.limits.targetBytes != $1.http.limits.targetBytes }),
        ("http.limits.header_bytes", { $0.http.limits.headerBytes != $1.http.limits.headerBytes }),
        ("http.limits.headers", { $0.http.limits.headers != $1.http.limits.headers }),
        ("http.limits.header_deadline", { $0.http.limits.headerDeadline != $1.http.limits.headerDeadline }),
        ("http.limits.idle_timeout", { $0.http.limits.idleTimeout != $1.http.limits.idleTimeout }),
        ("http.limits.write_timeout", { $0.http.limits.writeTimeout != $1.http.limits.writeTimeout }),
        ("http.trusted_proxies", { $0.http.proxies?.networks != $1.http.proxies?.networks }),
        ("http.client_address", { ($0.http.proxies?.naming ?? $1.http.proxies?.naming) != $1.http.proxies?.naming }),
        ("http.fast_path", { $0.http.usesFastPath != $1.http.usesFastPath }),
        ("http.tls", { ($0.http.tls == nil) != ($1.http.tls == nil) }),
        ("http.drain.delay", { $0.http.drain.delay != $1.http.drain.delay }),
        ("http.drain.deadline", { $0.http.drain.deadline != $1.http.drain.deadline }),
        ("admin.listen", { $0.adminListen != $1.adminListen }),
        ("log.format", { $0.logFormat != $1.logFormat }),
    ]

    static let keys = settings.map(\.key)

    /// The keys whose values differ from those at the start of the process.
    static func changed(from running: ServiceConfiguration, to wanted: ServiceConfiguration) -> [String] {
        settings.filter { $0.differs(running, wanted) }.map(\.key)
    }
}
