internal import Concurrency
package import Configuration
internal import FoundationEssentials
package import HTTPServer
internal import Logging
internal import Products
internal import Querying
internal import Serving
internal import Text

/// The config file's `http:` section.
package struct HTTPConfiguration: Sendable {
    package let listen: [ListenPlace]
    /// The number of event loops; `nil` for one per usable core.
    package let threads: Int?
    package let limits: HTTPLimits
    /// The proxies that name their clients; `nil` if the peer is the client.
    package let proxies: TrustedProxies?
    package let pagination: HTTPPagination
    /// The languages that clients can choose by `Accept-Language`; empty if none is negotiated.
    package let locales: [String]
    /// The time for which clients may cache a response.
    package let maxAge: Duration
    /// The caches that may store a response; `nil` for all, or private ones if answers vary.
    let cacheScope: CacheScope?
    /// Names responses for delivery networks; `nil` for none.
    let surrogateKeys: SurrogateKeys?
    let cors: HTTPCORS
    let access: HTTPAccess
    let accessLog: AccessLogMode
    let usesFastPath: Bool
    /// `nil` for plain HTTP.
    package let tls: TLSConfiguration?
    package let drain: DrainConfiguration

    /// The section's keys.
    package static let fields: [FieldSpec] = [
        .defaulted(
            "listen", .any, "\"[::]:8080\"",
            "host and port, unix:/path, systemd or systemd:NAME, or a list of them; a Unix socket with mode and owner is "
                + "{ unix: /run/larder.sock, mode: \"0660\", owner: larder, group: www-data }"),
        .defaulted("threads", .string, "auto", "event loops: a number, or auto for one per usable core"),
        .optional("limits", .object(HTTPLimits.fields), "what clients may take"),
        .defaulted(
            "trusted_proxies", .list(.string), "[]",
            "networks such as 10.0.0.0/8, and addresses: the proxies whose word about a client's address counts"),
        .optional(
            "client_address", .choice(TrustedProxies.Naming.self),
            "how trusted proxies name their clients; without it the client is the other end of the connection"),
        .optional("pagination", .object(HTTPPagination.fields), "how many products an answer has"),
        .defaulted(
            "locales", .list(.string), "[]",
            "languages such as de or pt-BR that clients get texts in by Accept-Language, as far as products have them"),
        .optional("cache_control", .object(cacheFields), "what clients are told about keeping answers"),
        .defaulted(
            "surrogate_key", .choice(SurrogateKeyMode.self), "off",
            "the header that names responses for purges by a delivery network"),
        .optional("api_keys", .object(HTTPAccess.keyFields), "the keys that clients have to present"),
        .optional("rate_limit", .object(HTTPAccess.rateFields), "the most requests of a client in a time"),
        .optional("cors", .object(HTTPCORS.fields), "which pages of other origins may read answers in a browser"),
        .defaulted("access_log", .choice(AccessLogMode.self), "errors", "which answers are logged"),
        .defaulted("fast_path", .boolean, "true", "whether requests that can be answered at once skip evhttp"),
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
    package init(_ reader: FieldReader) {
        listen = ListenPlace.all(reader, "listen")
        threads = Self.threads(reader)
        limits = HTTPLimits(reader.object("limits"))
        proxies = TrustedProxies(reader)
        pagination = HTTPPagination(reader.object("pagination"))
        locales = Self.locales(reader)
        let cache = reader.object("cache_control")
        maxAge = cache.duration("max_age")
        cacheScope = cache.optionalChoice("scope", CacheScope.self)
        surrogateKeys = SurrogateKeys(rawValue: reader.choice("surrogate_key", SurrogateKeyMode.self).rawValue)
        cors = HTTPCORS(reader.object("cors"))
        access = HTTPAccess(reader)
        accessLog = reader.choice("access_log", AccessLogMode.self)
        usesFastPath = reader.boolean("fast_path")
        tls = reader.objectUnlessOff("tls").flatMap(TLSConfiguration.init)
        drain = DrainConfiguration(reader.object("drain"))
    }

    private static func locales(_ reader: FieldReader) -> [String] {
        let locales = reader.strings("locales")
        for (index, node) in (reader.node("locales")?.elements ?? []).enumerated() {
            guard let text = node.text else { continue }
            if !LanguageRanges.isTag(text) {
                reader.report(
                    .error, at: node.position,
                    "\"locales\": expected a language like de or pt-BR, found \(node.found)")
            } else if locales.prefix(index).contains(where: { LanguageRanges.areSame($0, text) }) {
                reader.report(.error, at: node.position, "\"locales\": \(node.found) is there twice")
            }
        }
        return locales
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

/// The config file's `http.surrogate_key:`.
private enum SurrogateKeyMode: String, CaseIterable {
    case off
    case surrogateKey = "surrogate-key"
    case cacheTag = "cache-tag"
}

/// The config file's `http.pagination:`: the lengths of pages of `GET /products`.
package struct HTTPPagination: Sendable {
    /// The products of a response if the client sets no limit; 0 for the whole catalogue.
    package let defaultLimit: Int
    /// The greatest limit that a client may set.
    package let maxLimit: Int

    /// The section's keys.
    package static let fields: [FieldSpec] = [
        .defaulted("default_limit", .integer, "0", "products of an answer to who gives no limit; 0: all there are"),
        .defaulted("max_limit", .integer, "1000", "the greatest limit that a client may give"),
    ]

    /// Reads the section.
    package init(_ reader: FieldReader) {
        defaultLimit = reader.integer("default_limit", in: 0...)
        maxLimit = reader.integer("max_limit", in: 1...)
        if reader.isSound, defaultLimit > maxLimit {
            reader.report(
                .error, at: "default_limit", "clients could not ask for the default limit; make \"max_limit\" no less")
        }
    }

    var limits: PageLimits { PageLimits(whenNotGiven: defaultLimit, greatest: maxLimit) }
}

/// The config file's `http.drain:`: the times of a graceful stop.
package struct DrainConfiguration: Sendable {
    /// The time in which it still serves while not ready, for load balancers to react.
    package let delay: Duration
    /// The longest time from the signal to the exit.
    package let deadline: Duration

    /// The section's keys.
    package static let fields: [FieldSpec] = [
        .defaulted("delay", .duration, "5s", "how long it still serves after SIGTERM, while /readyz says 503"),
        .defaulted("deadline", .duration, "20s", "when it exits at the latest after SIGTERM"),
    ]

    /// Reads the section.
    package init(_ reader: FieldReader) {
        delay = reader.duration("delay")
        deadline = reader.duration("deadline")
        if reader.isSound, delay >= deadline {
            reader.report(
                .error, at: "delay",
                "the drain delay is not shorter than the deadline; make \"deadline\" the longer one")
        }
    }
}

/// The config file's `http.tls:`: the certificate of the port for products.
package struct TLSConfiguration: Sendable {
    let certificate: TLSCertificate

    /// The section's keys.
    package static let fields: [FieldSpec] = [
        .required("certificate", .path, "the certificate in PEM form, then those that have issued one another"),
        .required("key", .path, "its private key in PEM form, without a passphrase"),
        .defaulted("minimum_version", .choice(TLSVersion.self), "1.2", "what clients have to speak at least"),
    ]

    /// Reads the section and both files, which have to match.
    init?(_ reader: FieldReader) {
        let (chain, key) = (reader.textOfFile("certificate"), reader.textOfFile("key"))
        let version = reader.choice("minimum_version", TLSVersion.self)
        guard let chain, let key else { return nil }
        do throws(TLSCertificateError) {
            certificate = try TLSCertificate(chain: chain, key: key, minimumVersion: version)
        } catch {
            let field = error.isAboutKey ? "key" : "certificate"
            reader.report(
                .error, at: field, "\"\(field)\": \(reader.node(field)?.found ?? "this") cannot be used: \(error)")
            return nil
        }
        warnIfNotValid(reader, at: Int64(WallClock.system.now().timeIntervalSince1970))
    }

    /// The metadata of log lines when the certificate comes into force.
    var metadata: Logger.Metadata { ["certificate_until": "\(Self.day(certificate.validity.until))"] }

    /// Only a warning: clients refuse the certificate, but a service that does not start would be worse.
    private func warnIfNotValid(_ reader: FieldReader, at now: Int64) {
        let validity = certificate.validity
        if now > validity.until {
            reader.report(.warning, at: "certificate", "the certificate has expired on \(Self.day(validity.until))")
        } else if now < validity.from {
            reader.report(.warning, at: "certificate", "the certificate is not valid before \(Self.day(validity.from))")
        }
    }

    private static func day(_ seconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(Date.ISO8601FormatStyle().year().month().day())
    }
}
