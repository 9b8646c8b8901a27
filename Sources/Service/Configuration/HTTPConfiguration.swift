public import Configuration

/// The config file's `http:` section.
public struct HTTPConfiguration: Sendable {
    /// Which answers the access log has.
    public enum AccessLog: String, Sendable, CaseIterable {
        case off, errors, all
    }

    /// Who may keep an answer, as `Cache-Control` says it.
    public enum CacheScope: String, Sendable, CaseIterable {
        case `public`, `private`
    }

    /// Where to listen.
    public let listen: NetworkAddress
    /// How many event loops; `nil` for one per usable core.
    public let threads: Int?
    /// How many bytes a request line and its headers may have.
    public let headerBytes: Int
    /// How long a connection may be silent while no request is under way.
    public let idleTimeout: Duration
    /// How long a client may take no byte of its answer.
    public let writeTimeout: Duration
    /// How long clients may keep an answer.
    public let maxAge: Duration
    /// Who may keep an answer; `nil` leaves it to the graph: everybody where all requests get the same answer.
    public let cacheScope: CacheScope?
    /// Which answers are logged.
    public let accessLog: AccessLog
    /// How the service stops.
    public let drain: DrainConfiguration

    /// The section's keys.
    public static let fields: [FieldSpec] = [
        .defaulted("listen", .address, "0.0.0.0:8080", "host and port"),
        .defaulted("threads", .string, "auto", "event loops: a number, or auto for one per usable core"),
        .optional("limits", .object(limitFields), "what a client may take"),
        .optional("cache_control", .object(cacheFields), "what clients are told about keeping answers"),
        .defaulted("access_log", .choice(AccessLog.self), "errors", "which answers are logged"),
        .optional("drain", .object(DrainConfiguration.fields), "how the service stops"),
    ]

    private static let limitFields: [FieldSpec] = [
        .defaulted("header_bytes", .size, "16KiB", "request line and headers together"),
        .defaulted("idle_timeout", .duration, "60s", "silence between requests"),
        .defaulted("write_timeout", .duration, "30s", "a client that takes no byte of its answer"),
    ]

    private static let cacheFields: [FieldSpec] = [
        .defaulted("max_age", .duration, "5s", "how long clients may keep an answer"),
        .optional(
            "scope", .choice(CacheScope.self),
            "who may keep an answer; without it public, or private where answers vary by request headers"),
    ]

    /// Reads the section.
    public init(_ reader: FieldReader) {
        listen = reader.address("listen")
        threads = Self.threads(reader)
        let limits = reader.object("limits")
        headerBytes = limits.size("header_bytes", in: 256...)
        idleTimeout = limits.duration("idle_timeout")
        writeTimeout = limits.duration("write_timeout")
        let cache = reader.object("cache_control")
        maxAge = cache.duration("max_age")
        cacheScope = cache.optionalChoice("scope", CacheScope.self)
        accessLog = reader.choice("access_log", AccessLog.self)
        drain = DrainConfiguration(reader.object("drain"))
    }

    private static func threads(_ reader: FieldReader) -> Int? {
        let text = reader.string("threads")
        if text == "auto" { return nil }
        if let count = Int(text), (1...256).contains(count) { return count }
        reader.report(
            .error, at: "threads", "\"threads\": bad number \"\(text)\"; it must be auto or from 1 to 256")
        return nil
    }
}
