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
    /// What clients may take.
    public let limits: HTTPLimits
    /// How long pages are.
    public let pagination: HTTPPagination
    /// How long clients may keep an answer.
    public let maxAge: Duration
    /// Who may keep an answer; `nil` leaves it to the graph: everybody where all requests get the same answer.
    public let cacheScope: CacheScope?
    /// Which pages of other origins may read answers.
    public let cors: HTTPCORS
    /// Which answers are logged.
    public let accessLog: AccessLog
    /// What connections are encrypted by; `nil` for plain HTTP.
    public let tls: TLSConfiguration?
    /// How the service stops.
    public let drain: DrainConfiguration

    /// The section's keys.
    public static let fields: [FieldSpec] = [
        .defaulted("listen", .address, "0.0.0.0:8080", "host and port"),
        .defaulted("threads", .string, "auto", "event loops: a number, or auto for one per usable core"),
        .optional("limits", .object(HTTPLimits.fields), "what clients may take"),
        .optional("pagination", .object(HTTPPagination.fields), "how many products an answer has"),
        .optional("cache_control", .object(cacheFields), "what clients are told about keeping answers"),
        .optional("cors", .object(HTTPCORS.fields), "which pages of other origins may read answers in a browser"),
        .defaulted("access_log", .choice(AccessLog.self), "errors", "which answers are logged"),
        .defaulted("tls", .unlessOff(TLSConfiguration.fields), "off", "what connections are encrypted by"),
        .optional("drain", .object(DrainConfiguration.fields), "how the service stops"),
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
        limits = HTTPLimits(reader.object("limits"))
        pagination = HTTPPagination(reader.object("pagination"))
        let cache = reader.object("cache_control")
        maxAge = cache.duration("max_age")
        cacheScope = cache.optionalChoice("scope", CacheScope.self)
        cors = HTTPCORS(reader.object("cors"))
        accessLog = reader.choice("access_log", AccessLog.self)
        tls = reader.objectUnlessOff("tls").flatMap(TLSConfiguration.init)
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
