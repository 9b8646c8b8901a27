internal import Access
internal import Concurrency
internal import Configuration
internal import HTTPServer
internal import Health
internal import Logging
internal import Networking
internal import OpenAPI
internal import Wiring

/// The config file's `http.api_keys:` and `http.rate_limit:`.
package struct HTTPAccess: Sendable {
    private struct Keys: Sendable {
        let path: String
        /// The keys when the config was read.
        let list: APIKeyList
    }

    /// Slightly more than the longest time between two updates of the buckets' clock.
    private static let tick = Duration.milliseconds(10)

    private let keys: Keys?
    private let rateLimit: RateLimit?
    private let keyless: [String]
    /// Probes must not fail under load, and webhooks are signed.
    private static let unlimited = ["/livez", "/readyz", "/healthz", "/hooks/"]

    /// The file of keys, which is read again by itself.
    var keysPath: String? { keys?.path }

    var description: AccessDescription {
        AccessDescription(
            takesKeys: keys != nil, keyless: keyless, isRateLimited: rateLimit != nil, unlimited: Self.unlimited)
    }

    static let keyFields: [FieldSpec] = [
        .required(
            "file", .path,
            "one key a line, NAME:sha256-HEX, then optionally a colon and the day on which it ends, and another with its "
                + "scopes, products or changes; read again when it changes"),
        .defaulted(
            "exempt", .list(.string), "[/openapi.json]",
            "paths that take no key, besides probes and webhooks; one with a slash at its end includes all below it"),
    ]

    static let rateFields: [FieldSpec] = [
        .required("rate", .string, "the most requests in a time: 50/s, 600/m"),
        .defaulted("burst", .integer, "100", "requests that may come at once"),
        .defaulted("per", .choice(RateLimit.Subject.self), "address", "whose requests are counted together"),
    ]

    /// Reads both sections, and the file of keys.
    init(_ http: FieldReader) {
        let keys = http.has("api_keys") ? http.object("api_keys") : nil
        self.keys = keys.flatMap(Self.keys)
        keyless = Self.unlimited + (keys.map(Self.paths) ?? [])
        rateLimit = http.has("rate_limit") ? Self.limit(http.object("rate_limit"), hasKeys: keys != nil) : nil
    }

    private static func keys(_ reader: FieldReader) -> Keys? {
        guard let path = reader.optionalPath("file"), let text = reader.textOfFile("file") else { return nil }
        do {
            return Keys(path: path, list: try APIKeyList(parsing: text))
        } catch {
            reader.report(.error, at: "file", "\"file\": \(reader.node("file")?.found ?? "this"), \(error)")
            return nil
        }
    }

    private static func paths(_ reader: FieldReader) -> [String] {
        for node in reader.node("exempt")?.elements ?? [] where node.text?.hasPrefix("/") == false {
            reader.report(.error, at: node.position, "\"exempt\": expected a path like /livez, found \(node.found)")
        }
        return reader.strings("exempt")
    }

    private static func limit(_ reader: FieldReader, hasKeys: Bool) -> RateLimit? {
        let subject = reader.choice("per", RateLimit.Subject.self)
        let burst = reader.integer("burst", in: 1...1_000_000)
        if subject == .key, !hasKeys {
            reader.report(.error, at: "per", "requests have no keys; add \"http.api_keys\"")
        }
        guard let pause = reader.rate("rate")?.pause else { return nil }
        let least = Int((Self.tick / pause).rounded(.up))
        if burst < least {
            reader.report(
                .error, at: "burst", "at this rate a burst has at least \(least) requests, those of \(Self.tick)")
        }
        return RateLimit(subject, pause: pause, burst: burst)
    }

    /// Makes the keys and buckets, or takes over the buckets of another edition with the same limit.
    func open(
        replacing previous: ClientAccess?, wallClock: WallClock, logger: Logger
    ) -> ClientAccess {
        let kept = previous?.limiter.flatMap { $0.limit == rateLimit ? $0 : nil }
        return ClientAccess(
            ring: keys.map {
                APIKeyRing($0.list, path: $0.path, wallClock: wallClock, logger: logger, replacing: previous?.ring)
            },
            keyless: keyless, limiter: kept ?? rateLimit.flatMap { RateLimiter($0, logger: logger) },
            unlimited: Self.unlimited)
    }
}
