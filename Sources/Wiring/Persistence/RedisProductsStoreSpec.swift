internal import Concurrency
internal import Configuration
internal import CoreMetrics
internal import EventLoop
internal import Fleet
internal import Logging
internal import Networking
internal import Persistence
internal import Products
internal import Redis
internal import Text

extension RedisProductsStore {
    static let spec = ComponentSpec<StoreFamily>(
        type: "redis",
        summary: "one catalogue for all replicas, in Redis or Valkey; one of them at a time refreshes it for all",
        fields: [
            .required(
                "url", .urlOf(["redis", "rediss"], like: "rediss://larder@redis.example:6379/0"),
                "the server: user, host, port and database; rediss:// for TLS")
        ] + FieldSpec.secretOrFile("password", "The user's password; read again at each connect.") + [
            .optional("ca_file", .path, "the roots that sign the server's certificate, in PEM; else the system's"),
            .optional("certificate", .path, "the chain that proves this client to the server, in PEM"),
            .optional("key", .path, "the private key of the certificate, in PEM"),
            .required("name", .string, "the catalogue's name; several catalogues may share a server"),
            .defaulted("keep", .integer, "5", "how many generations stay, the newest included"),
            .defaulted("max_bytes", .size, "64MiB", "a larger catalogue, compressed, is neither written nor read"),
            .defaulted(
                "when_unavailable", .choice(FleetMember.Settings.Unavailability.self), "refresh_alone",
                "what a replica does while the server is away: ask the upstream itself, or go on with what it has"),
            .defaulted(
                "lease", .duration, "30s",
                "how long a turn outlasts the last sign of life of the replica that refreshes; it may refresh for ten times this"
            ),
            .defaulted("poll", .duration, "10s", "how often a replica looks for what it was not told of"),
            .optional(
                "refill_from", .component(StoreFamily.self),
                "this replica's own store: from it the server gets the catalogue back that it has lost"),
        ],
        example: """
            { type: redis, url: "rediss://larder@redis.example:6379/0", password: "${LARDER_PASSWORD}", \
            name: catalogue }
            """,
        facts: [StoreTraits(isShared: true)],
        plan: { reader in
            let url = redisURL(reader)
            let password = password(reader, url)
            let files = RedisFiles(reader, isTLS: url?.isTLS)
            let (settings, keep) = fleet(reader)
            let catalogue = catalogueName(reader)
            let refill = reader.optionalComponent("refill_from", StoreFamily.self)
            if let refill, refill.outline.isSharedStore {
                reader.report(
                    .error, at: "refill_from",
                    "\"refill_from\": a shared store cannot refill another; name a store on this machine's disk")
            }
            let (name, label) = (reader.name, reader.metricLabel)
            let connection: @Sendable (RedisURL, Assembly) -> RedisSettings = { url, assembly in
                RedisSettings(
                    url: url, password: password?(assembly), caFile: files.roots, certificateFile: files.certificate,
                    keyFile: files.key, maxReply: settings.maxBytes + replyMargin)
            }
            if let url {
                reader.state(
                    SharedStoreConnection(settings: { connection(url, $0) }, catalogue: catalogue, url: "\(url)"))
            }
            return { assembly in
                let refill = try refill?.instantiate(in: assembly)
                guard let url, let environment = assembly.optionalResource(FleetEnvironment.self) else {
                    return AbsentProductsStore()
                }
                let logger = assembly.resource(Logger.self)
                var settings = settings
                (settings.name, settings.seed) = (environment.member, UInt64.random(in: 0...UInt64.max))
                let connection = connection(url, assembly)
                return RedisProductsStore(
                    name: name, settings: settings, refill: refill, logger: logger,
                    metricLabel: label, metrics: assembly.optionalResource((any MetricsFactory).self),
                    wallClock: assembly.optionalResource(WallClock.self) ?? .system,
                    storage: { fingerprint in
                        let keys = StorageKeys(
                            name: catalogue, fingerprint: fingerprint, database: url.database)
                        let client = RedisClient(
                            loop: environment.loop, settings: connection, channel: RedisStorage.channel(of: keys),
                            logger: logger)
                        return RedisStorage(client: client, keys: keys, keep: keep, logger: logger)
                    })
            }
        })

    /// The room for the frame around the longest blob.
    private static let replyMargin = 1 << 20

    private static func redisURL(_ reader: FieldReader) -> RedisURL? {
        let text = reader.url("url")
        guard reader.isSound else { return nil }
        do throws(RedisURLError) {
            return try RedisURL(text)
        } catch {
            reader.report(.error, at: "url", "\"url\": \(error)")
            return nil
        }
    }

    private static func fleet(_ reader: FieldReader) -> (FleetMember.Settings, keep: Int) {
        var settings = FleetMember.Settings(name: "", seed: 0)
        settings.maxBytes = reader.size("max_bytes", in: 1024...1 << 30)
        settings.whenUnavailable = reader.choice("when_unavailable")
        settings.turnLength = reader.duration("lease", in: Duration.seconds(5)...Duration.seconds(600))
        settings.poll = reader.duration("poll", in: Duration.seconds(1)...Duration.seconds(300))
        return (settings, reader.integer("keep", in: 1...1000))
    }

    private static func catalogueName(_ reader: FieldReader) -> String {
        let name = reader.string("name")
        if !StorageKeys.isUsable(name: name) {
            reader.report(
                .error, at: "name",
                "\"name\": \(reader.node("name")?.found ?? "this") is no name; write 1 to 64 letters, digits, -, _ and ."
            )
        }
        return name
    }

    /// Reads the password beside the URL; nil without one.
    private static func password(_ reader: FieldReader, _ url: RedisURL?) -> (@Sendable (Assembly) -> Credential)? {
        guard let field = ["password", "password_file"].first(where: reader.has) else { return nil }
        if url?.password != nil {
            reader.report(.error, at: field, "\"url\" and \"\(field)\" hold a password each; keep one")
        }
        return reader.credential("password")
    }
}

/// The PEM files of a connection with TLS.
private struct RedisFiles: Sendable {
    let roots: String?
    let certificate: String?
    let key: String?

    /// - Parameter isTLS: nil where that could not be read.
    init(_ reader: FieldReader, isTLS: Bool?) {
        let alone = ["certificate", "key"].filter(reader.has)
        if alone.count == 1, let field = alone.first {
            reader.report(.error, at: field, "\"certificate\" and \"key\" belong together; one of them is missing")
        }
        let files = ["ca_file", "certificate", "key"].map { field in
            let path = reader.optionalPath(field)
            if path != nil, isTLS == false {
                reader.report(
                    .error, at: field, "\"\(field)\" is for TLS only, and \"url\" begins with redis://",
                    suggestion: "rediss://")
            } else if path != nil {
                _ = reader.textOfFile(field)
            }
            return path
        }
        (roots, certificate, key) = (files[0], files[1], files[2])
    }
}
