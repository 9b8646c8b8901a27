public import Configuration
internal import Logging

/// The config file's `http.limits:`: what clients may take of the port for products.
public struct HTTPLimits: Sendable, Hashable {
    /// Connections open at once; zero for no limit.
    public let connections: Int
    /// Connections of one IPv4 address or one IPv6 /64; zero for no limit.
    public let connectionsPerAddress: Int
    /// Requests that wait for their answers at once; zero for no limit.
    public let outstanding: Int
    /// How many bytes path and query may have.
    public let targetBytes: Int
    /// How many bytes a request line and its headers may have.
    public let headerBytes: Int
    /// How many header fields a request may have.
    public let headers: Int
    /// How long a request's head may take from its first byte to its last.
    public let headerDeadline: Duration
    /// How long a connection may be silent while no request is under way.
    public let idleTimeout: Duration
    /// How long a client may take no byte of its answer.
    public let writeTimeout: Duration

    /// The section's keys.
    public static let fields: [FieldSpec] = [
        .defaulted("connections", .integer, "10000", "open at once; 0 for no limit"),
        .defaulted("per_address", .integer, "0", "connections of one IPv4 address or IPv6 /64; 0 for no limit"),
        .defaulted("outstanding", .integer, "1000", "requests that wait for their answers at once; 0 for no limit"),
        .defaulted("target_bytes", .size, "8KiB", "path and query of a request"),
        .defaulted("header_bytes", .size, "16KiB", "request line and headers together"),
        .defaulted("headers", .integer, "100", "header fields of a request"),
        .defaulted("header_deadline", .duration, "10s", "request line and headers, from the first byte to the last"),
        .defaulted("idle_timeout", .duration, "60s", "silence between requests"),
        .defaulted("write_timeout", .duration, "30s", "a client that takes no byte of its answer"),
    ]

    /// Reads the section.
    public init(_ reader: FieldReader) {
        connections = reader.integer("connections", in: 0...1_000_000)
        connectionsPerAddress = reader.integer("per_address", in: 0...1_000_000)
        outstanding = reader.integer("outstanding", in: 0...1_000_000)
        targetBytes = reader.size("target_bytes", in: 64...(1 << 20))
        headerBytes = reader.size("header_bytes", in: 256...(1 << 20))
        headers = reader.integer("headers", in: 1...10_000)
        headerDeadline = reader.duration("header_deadline", in: Self.times)
        idleTimeout = reader.duration("idle_timeout", in: Self.times)
        writeTimeout = reader.duration("write_timeout", in: Self.times)
        if reader.isSound { reportContradictions(reader) }
    }

    /// Without zero, which might be meant as never or as at once.
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

    /// Files beside the connections of clients: ports, stores, sinks, connections to upstreams and of operators.
    private static let otherFiles = 100

    /// Warns where the process may not have as many files open as connections are allowed. Clients are then turned away
    /// for want of descriptors, and upstreams cannot be asked.
    func check(openFiles: Double?, _ logger: Logger) {
        guard let openFiles, Double(connections + Self.otherFiles) > openFiles else { return }
        logger.warning(
            "http.limits.connections does not fit in the limit of open files",
            metadata: [
                "connections": .stringConvertible(connections), "open_files": .stringConvertible(Int(openFiles)),
                "needed": .stringConvertible(connections + Self.otherFiles),
            ])
    }
}
