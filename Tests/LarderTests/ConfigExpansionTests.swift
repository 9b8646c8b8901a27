import Configuration
import FileSystem
import Service
import TestSupport
import Testing
import Wiring

@testable import larder

struct ConfigExpansionTests {
    private static let variables = [
        "HOST": "shop.example:8443", "ALL": "https://shop.example/in/ner", "KEY": "s3cret", "PORT": "", "EMPTY": "",
    ]
    private var fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
        fixture.variables = Self.variables
    }

    @Test(arguments: [
        "{ type: shop, url: \"https://shop.example/products\", data: /var/lib/larder }",
        "{ type: shop, url: \"http://localhost:81\", ttl: 5s, stale_while_revalidate: 1m, refresh: background }",
        "{ type: shop, url: \"https://${HOST}/p?a=b%20c&key=${KEY}\", data: \"${NONE:-here}\" }",
        "{ type: shop, url: \"${ALL}\" }", "{ type: shop, url: \"${ALL}\", monitor: http, events: log }",
        "{ type: shop, url: \"${SCHEME:-http}://shop.example/${KEY}/p\" }",
        "{ type: shop, url: \"http://a.example/p\", gate: strict, monitor: none, events: none }",
        "{ type: shop, url: \"http://a.example/p\", gate: { profile: strict, minimum: 3, unique: [[gtin, sku]] } }",
        "{ type: shop, url: \"http://a.example/p\", gate: off, keep: 9, keep_for: { all: 1h }, max_bytes: 1GiB }",
        "{ type: shop, url: \"https://a.example/p\", auth: { type: bearer, token: \"${KEY}\" }, timeout: 9s }",
        """
        { type: shop, url: "https://a.example/p", headers: { "X-Q": "$${x}", Accept: "a, b" }, parameters: { "1": "01" }, \
        decode: { items: "d.n", type: physical, fields: { name: "t i", price.amount: [a, "b.c"] }, attributes: keep, \
        constants: { price.currency: EUR } }, pagination: { type: page, parameter: page, pages: { path: n } } }
        """,
        "{ type: shop, url: \"https://a.example/graphql\", method: POST, body: { query: \"{ p(n: 1) }\", n: 1, m: \"1\" } }",
        "{ type: shop, url: \"http://a.example/p\", fleet: \"redis://larder:${KEY}@redis.example/2\", gate: strict }",
        "{ type: shop, url: \"http://a.example/p\", fleet: { url: \"rediss://l@r.example\", lease: 1m }, ttl: 1m }",
        "{ type: shop, url: \"http://a.example/p\", monitor: { type: http, url: \"http://a.example/up\" } }",
    ])
    func `a shop is printed as the config of the same graph, without the values of variables`(shop: String) async throws
    {
        let path = try fixture.config(
            "# comment\nhttp: { listen: \"127.0.0.1:0\", pagination: { max_limit: 7 } }\nserve: \(shop)\n")
        let short = try loaded(path)
        let printed = try await fixture.run("config expand", path)
        #expect(printed.hasPrefix("# Expanded by larder config expand from \(path).\n"))
        #expect(!printed.contains("s3cret") && !printed.contains("type: shop") && !printed.contains("in/ner"))
        #expect(fixture.notes.value == [])
        let long = try loaded(fixture.config(printed))
        #expect(Self.signature(of: long) == Self.signature(of: short), "\(printed)")
        #expect(long.root.outline.all.count >= 6)
        #expect(long.service.http.pagination.maxLimit == 7)
        #expect(try await fixture.run("config expand", path) == printed)
    }

    @Test func `a reader is told where the monitor does not follow a variable`() async throws {
        let path = try fixture.config("serve: { type: shop, url: \"${ALL}\" }\n")
        #expect(try await fixture.run("config expand", path).contains("# The monitor has the address of the moment"))
        let own = try fixture.config("serve: { type: shop, url: \"${ALL}\", monitor: { address: \"a:1\" } }\n")
        #expect(!(try await fixture.run("config expand", own)).contains("moment"))
        let other = try fixture.config("serve: { type: shop, url: \"http://${HOST}/p\" }\n")
        #expect(try await fixture.run("config expand", other).split(separator: "\n").count { $0.hasPrefix("#") } == 1)
    }

    @Test(arguments: [
        ("serve: { type: shop, url: \"http://a.example/p?token=hunter2\" }", "1:27"),
        ("serve: { type: shop, url: \"http://a.example/p\", auth: { type: bearer, token: hunter2 } }", "1:78"),
        ("serve: { type: shop, url: \"http://a.example/p\", headers: { X-Api-Key: hunter2 } }", "1:71"),
        ("serve: { type: shop, url: \"http://a.example/p\", fleet: \"redis://a:hunter2@r.example\" }", "1:56"),
        (
            "hooks: { a: { signature: github, secret: hunter2 } }\nserve: { type: shop, url: \"http://a.example/p\" }",
            "1:42"
        ),
        ("auths: { a: { type: bearer, token: hunter2 } }\nserve: { type: shop, url: \"http://a.example/p\" }", "1:36"),
        (
            "serve: { type: http, request: { base_url: \"http://a.example\" }, auth: { type: bearer, token: hunter2 } }",
            "1:94"
        ),
    ])
    func `a secret that is written in the config is not printed`(yaml: String, place: String) async throws {
        let path = try fixture.config(yaml + "\n")
        let failure = await fixture.failure("config expand", path) ?? ""
        #expect(failure.hasPrefix("\(path):\(place): error: a secret is written here"), "\(failure)")
        #expect(fixture.printed.value == "" && !failure.contains("hunter2"))
    }

    @Test func `a config without a shop is printed as it stands, and a bad one is not`() async throws {
        let yaml = "# mine\nproviders: { a: { type: file, path: p } }\nserve: a\n"
        #expect(try await fixture.run("config expand", try fixture.config(yaml)) == yaml)
        let path = try fixture.config("serve: { type: shop }\n")
        #expect(await fixture.failure("config expand", path) == "\(path):1:8: error: missing \"url\" in \"shop\"")
    }

    @Test func `a provider of a shop is found by its label`() async throws {
        let path = try fixture.config("serve: { type: shop, url: \"http://a.example/p\" }\n")
        let remote = try LoadedConfiguration.load(path: path, environment: [:], serving: "remote")
        #expect(remote.root.outline.id == "providers.remote")
        await #expect(throws: (any Error).self) { try await fixture.run("fetch --dry-run --provider none", path) }
    }

    private func loaded(_ path: String) throws -> LoadedConfiguration {
        let loaded = try LoadedConfiguration.load(path: path, environment: Self.variables)
        #expect(loaded.warnings.filter { !$0.message.contains("in \"base_url\"") } == [])
        return loaded
    }

    /// All components with their settings, in the order of the graph.
    private static func signature(of loaded: LoadedConfiguration) -> [String] {
        loaded.root.outline.all.map { outline in
            let settings = outline.settings.fields.filter { !"\($0.type)".contains(outline.family) }.map { field in
                "\(field.name)=\(outline.settings.given(field.name).map(text) ?? "none")"
            }
            let children = outline.children.map { "\($0.role):\($0.outline.id)" }
            return "\(outline.id) \(outline.type) \(outline.metricLabel) \(settings) \(children)"
        }
    }

    private static func text(of node: ConfigNode) -> String {
        if let elements = node.elements { return "\(elements.map(text))" }
        return node.entries.map { "\($0.map { "\($0.writtenKey):\(text(of: $0.value))" })" } ?? "\(node.text ?? "~")"
    }
}
