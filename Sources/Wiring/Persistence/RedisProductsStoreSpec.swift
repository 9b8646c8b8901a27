internal import Concurrency
internal import Configuration
internal import CoreMetrics
internal import EventLoop
package import Fleet
internal import Logging
internal import Networking
internal import Persistence
package import Products
internal import Providers
internal import Redis
internal import Text

extension SharedProductsStore: GraphStore {
    /// The replica takes part in the fleet as long as the provider runs.
    package func caching(_ node: CachingNode) -> any ProductsProvider {
        let provider = SharedCachingProductsProviderDecorator(
            name: node.name, upstream: node.upstream, catalogue: catalogue(fingerprint: node.fingerprint),
            judge: node.upstream.unobserved as? any CatalogueJudge)
        // A graph after a reload asks once before it is in force, and then waits for its turn like all others.
        node.assembly.background("fleet of \(node.name)", startsEarly: true) { await provider.run() }
        return provider
    }
}

extension SharedProductsStore {
    static let redis = ComponentSpec<StoreFamily>(
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
        ] + SharedStoreSettings.fields,
        example: """
            { type: redis, url: "rediss://larder@redis.example:6379/0", password: "${LARDER_PASSWORD}", \
            name: catalogue }
            """,
        facts: [StoreTraits(isShared: true)],
        plan: { reader in
            let url = redisURL(reader)
            let password = password(reader, url)
            let files = RedisFiles(reader, isTLS: url?.isTLS)
            let shared = SharedStoreSettings(reader)
            let (name, label) = (reader.name, reader.metricLabel)
            let connection: @Sendable (RedisURL, Assembly) -> RedisSettings = { url, assembly in
                RedisSettings(
                    url: url, password: password?(assembly), caFile: files.roots, certificateFile: files.certificate,
                    keyFile: files.key, maxReply: shared.member.maxBytes + replyMargin)
            }
            if let url {
                reader.state(
                    SharedStoreConnection(settings: { connection(url, $0) }, catalogue: shared.catalogue, url: "\(url)")
                )
            }
            return { assembly in
                let refill = try shared.refill?.instantiate(in: assembly)
                guard let url, let environment = assembly.optionalResource(FleetEnvironment.self) else {
                    return AbsentProductsStore()
                }
                let logger = assembly.resource(Logger.self)
                let connection = connection(url, assembly)
                return SharedProductsStore(
                    name: name, settings: shared.member(named: environment.member), refill: refill, logger: logger,
                    metricLabel: label, metrics: assembly.optionalResource((any MetricsFactory).self),
                    wallClock: assembly.optionalResource(WallClock.self) ?? .system,
                    storage: { fingerprint in
                        let keys = StorageKeys(
                            name: shared.catalogue, fingerprint: fingerprint, database: url.database)
                        let client = RedisClient(
                            loop: environment.loop, settings: connection, channel: RedisStorage.channel(of: keys),
                            logger: logger)
                        return RedisStorage(client: client, keys: keys, keep: shared.keep, logger: logger)
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
