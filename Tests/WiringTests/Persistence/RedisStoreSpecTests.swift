import Concurrency
import Configuration
import EventLoop
import FileSystem
import Fleet
import Networking
import Products
import TestSupport
import Testing
import Wiring

struct RedisStoreSpecTests {
    private static let sections: [FieldSpec] = [
        .required("serve", .component(ProviderFamily.self), "the provider under test")
    ]

    /// A config with a `caching` above a gate and a store that has these fields.
    private static func config(_ store: String, upstream: String = shop()) -> String {
        "serve: { type: caching, store: { type: redis, \(store) }, upstream: \(upstream) }\n"
    }

    private static func shop(
        _ gate: String = "minimum: 1", _ http: String = "timeout: 2s", path: String = "/products",
        base: String = "http://shop.example", around: String? = nil
    ) -> String {
        let http = "{ type: http, \(http), request: { base_url: \"\(base)\", path: \(path) } }"
        let upstream = around.map { "{ \($0), upstream: \(http) }" } ?? http
        return "{ type: validated, \(gate), upstream: \(upstream) }"
    }

    private func plan(_ yaml: String) throws -> ComponentPlan<ProviderFamily> {
        let check = try makeCheck(yaml, sections: Self.sections)
        let plan = check.root.component("serve", ProviderFamily.self)
        _ = try check.finish()
        return plan
    }

    @Test(arguments: [
        ("url: \"rdiss://redis.example\", name: a", "its scheme is neither redis nor rediss"),
        ("url: \"rdiss://redis.example\", name: a", "did you mean \"rediss://redis.example\"?"),
        ("url: \"redis.example:6379\", name: a", "did you mean \"redis://redis.example:6379\"?"),
        ("url: \"redis://:6379\", name: a", "it has no host"),
        ("url: \"redis://redis.example:port\", name: a", "its port is no number from 0 to 65535"),
        ("url: \"redis://redis.example/first\", name: a", "its path must be the number of a database"),
        ("url: \"rediss://:one@redis.example\", password: two, name: a", "hold a password each; keep one"),
        ("url: \"redis://redis.example\", ca_file: /dev/null, name: a", "\"ca_file\" is for TLS only"),
        ("url: \"rediss://redis.example\", ca_file: /none.pem, name: a", "\"ca_file\": cannot read \"/none.pem\""),
        ("url: \"rediss://redis.example\", key: /none.pem, name: a", "\"certificate\" and \"key\" belong together"),
        ("url: \"rediss://redis.example\", name: \"a:b\"", "\"name\": \"a:b\" is no name"),
        ("url: \"rediss://redis.example\", name: a, keep: 0", "it must be from 1 to 1000"),
        ("url: \"rediss://redis.example\", name: a, lease: 1s", "it must be from 5s to 10m"),
        ("url: \"rediss://redis.example\", name: a, poll: 10m", "it must be from 1s to 5m"),
        ("url: \"rediss://redis.example\", name: a, when_unavailable: holds", "did you mean \"hold\"?"),
        (
            "url: \"rediss://redis.example\", name: a, "
                + "refill_from: { type: redis, url: \"redis://redis.example\", name: b }",
            "a shared store cannot refill another"
        ),
    ])
    func `each bad setting is reported with the reason`(store: String, message: String) {
        let found = problems(Self.config(store), sections: Self.sections) {
            _ = $0.component("serve", ProviderFamily.self)
        }
        #expect(found.contains { $0.contains(message) }, "\(found)")
        #expect(!found.contains { $0.contains("one@") || $0.contains("two") })
    }

    @Test func `a password may stand in a file, and TLS files are read by the check`() throws {
        let directory = try TemporaryDirectory()
        try Files.create(directory("password"), Array("s3cret\n".utf8))
        try Files.create(directory("ca.pem"), Array("roots\n".utf8))
        let store = """
            url: "rediss://larder@redis.example/3", password_file: \(directory("password")), \
            ca_file: \(directory("ca.pem")), name: shop, refill_from: { type: json_file, directory: \(directory.path) }
            """
        #expect(throws: Never.self) { try plan(Self.config(store)) }
    }

    @Test
    func `a process that takes no part in the fleet asks the upstream itself, and neither saves nor connects`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let product = #"[{"type":"physical","id":"1","name":"Mug","price":{"amount":1,"currency":"EUR"}}]"#
        try Files.create(directory("products.json"), Array(product.utf8))
        let plan = try plan(
            Self.config(
                "url: \"redis://127.0.0.1:1\", name: shop",
                upstream: "{ type: file, path: \(directory("products.json")) }"))
        #expect(plan.outline.outlivesRestarts)
        #expect(plan.outline.sharedStores.map(\.label) == ["serve.store"])
        var resources = ComponentResources()
        resources.set(LogRecorder().logger)
        resources.set(WallClock.system)
        let assembly = Assembly(resources: resources)
        let answer = try await plan.instantiate(in: assembly).products(for: ProductsRequest())
        #expect(answer.trail.last?.description == "caching: saving")
        #expect(assembly.backgroundJobs.isEmpty)
    }

    @Test func `a replica runs its part of the fleet, early after a reload`() async throws {
        let plan = try plan(Self.config("url: \"redis://127.0.0.1:1\", name: shop"))
        let loop = try EventLoop(name: "redis-spec")
        var resources = ComponentResources()
        resources.set(LogRecorder().logger)
        resources.set(WallClock.system)
        resources.set(HTTPClient(loops: [loop], userAgent: UserAgent(version: "1")))
        resources.set(FleetEnvironment(loop: loop, member: "one"))
        let assembly = Assembly(resources: resources)
        _ = try plan.instantiate(in: assembly)
        #expect(assembly.backgroundJobs.map(\.name) == ["fleet of caching"])
        #expect(assembly.backgroundJobs.map(\.startsEarly) == [true])
        await loop.shutdown()
    }

    @Test(arguments: [
        shop("minimum: 1", "timeout: 9s, connect_timeout: 3s, max_body: 1MiB"),
        shop("minimum: 1", "auth: { type: bearer, token: s3cret }"),
        shop("minimum: 1, baseline: { type: json_file, directory: /elsewhere }"),
        shop(around: "type: retry, attempts: 5"), shop(around: "type: circuit_breaker"),
        shop(around: "type: memory, ttl: 5s"), shop(around: "type: timeout, after: 5s"),
        shop(around: "type: concurrency_limit, max: 3"),
    ])
    func `what changes no products changes no fingerprint`(upstream: String) throws {
        #expect(try fingerprint(upstream) == fingerprint(Self.shop()))
    }

    @Test(arguments: [
        shop(base: "http://other.example"), shop(path: "/items"), shop("minimum: 2"), shop("max_shrink: 0.4"),
        shop("max_price_change: { factor: 3, share: 0.3 }"), shop("minimum: 1", "decode: { items: data }"),
        shop("minimum: 1", "pagination: { type: page, size: 10 }"),
        "{ type: file, path: /products.json }",
    ])
    func `what changes products changes the fingerprint`(upstream: String) throws {
        let found = try fingerprint(upstream)
        #expect(found != (try fingerprint(Self.shop())))
        #expect(found.utf8.count == 12 && found.allSatisfy(\.isHexDigit))
    }

    @Test func `a token in a header may be replaced, another header may not`() throws {
        func shop(_ headers: String) -> String {
            "{ type: http, request: { base_url: \"http://shop.example\", headers: { \(headers) } } }"
        }
        #expect(try fingerprint(shop("X-Api-Key: one")) == fingerprint(shop("X-Api-Key: two")))
        #expect(try fingerprint(shop("X-Shop: one")) != fingerprint(shop("X-Shop: two")))
    }

    private func fingerprint(_ upstream: String) throws -> String {
        let store = "url: \"rediss://redis.example\", name: shop"
        let outline = try plan(Self.config(store, upstream: upstream)).outline
        return try #require(outline.sharedStores.first?.fingerprint)
    }
}
