@testable import Serving
import Configuration
import HTTPServer
import Logging
import Products
import Querying
import TestSupport
import Testing
import Wiring

@testable import Service

@Suite struct ServiceConfigurationTests {
    @Test(arguments: Repository.configs)
    func `every example config is good once the upstream is named`(name: String) throws {
        let loaded = try LoadedConfiguration.load(
            path: "\(Repository.root)/config/\(name)", environment: ["LARDER_UPSTREAM": "localhost:8081"])
        #expect(loaded.warnings == [])
    }

    @Test(arguments: [
        "larder.yaml", "demo.yaml", "kubernetes/larder.yaml", "kubernetes/shared-store/larder.yaml",
        "examples/fleet.yaml",
    ])
    func `the default configs hold a catalogue whose prices moved far, and warn`(name: String) throws {
        let document = ShopGraph.expanded(
            try ConfigDocument.read(
                path: "\(Repository.root)/config/\(name)",
                environment: [
                    "LARDER_UPSTREAM": "localhost:8081", "LARDER_SECRETS": "/nowhere", "LARDER_REDIS": "redis.example",
                ]))
        let gates = document.root["providers"]?["remote"].map { Self.gates(in: $0) } ?? []
        #expect(gates == ["3 0.5"])
    }

    private static func gates(in node: ConfigNode) -> [String] {
        let bound = node["warn_max_price_change"].map { "\($0["factor"]?.text ?? "") \($0["share"]?.text ?? "")" }
        return [bound].compactMap(\.self) + (node["upstream"].map { gates(in: $0) } ?? [])
    }

    @Test func `the default config is among the examples`() {
        #expect(Repository.configs.contains("larder.yaml"))
    }

    @Test func `the default config names the missing variable and its place`() throws {
        let path = "\(Repository.root)/config/larder.yaml"
        let error = try #require(throws: ConfigurationError.self) {
            try LoadedConfiguration.load(path: path, environment: [:])
        }
        let hint = "environment variable LARDER_UPSTREAM is not defined; define it or write ${LARDER_UPSTREAM:-default}"
        #expect(error.description == "\(path):12:8: error: \(hint)")
    }

    @Test func `the default config takes the operators' port and the upstream's scheme from variables`() throws {
        let path = "\(Repository.root)/config/larder.yaml"
        func loaded(_ others: [String: String], warns: Bool = false) throws -> (admin: String, urls: [String]) {
            let environment = ["LARDER_UPSTREAM": "shop.example:8443"].merging(others) { $1 }
            let loaded = try LoadedConfiguration.load(path: path, environment: environment)
            #expect(loaded.warnings.contains { "\($0)".contains("token_file") } == warns)
            #expect(loaded.warnings.count == (warns ? 1 : 0))
            let urls = loaded.root.outline.all.compactMap { $0.settings.text("request.base_url") }
            return ("\(loaded.service.adminListen)", urls)
        }
        let usual = try loaded([:])
        #expect(usual.admin == "127.0.0.1:9090" && usual.urls == ["http://shop.example:8443"])
        let other = try loaded(["LARDER_ADMIN": "0.0.0.0:9091", "LARDER_UPSTREAM_SCHEME": "https"], warns: true)
        #expect(other.admin == "0.0.0.0:9091" && other.urls == ["https://shop.example:8443"])
    }

    @Test(arguments: [
        ("shop:x", "its port is no number from 0 to 65535"), ("http://shop:8081", "it has two schemes"),
    ])
    func `the default config reports a bad upstream address`(value: String, problem: String) throws {
        let path = "\(Repository.root)/config/larder.yaml"
        let error = try #require(throws: ConfigurationError.self) {
            try LoadedConfiguration.load(path: path, environment: ["LARDER_UPSTREAM": value])
        }
        let written = "${LARDER_UPSTREAM_SCHEME:-http}://${LARDER_UPSTREAM}/products"
        let found = "\"url\": bad url \"http://\(value)/products\" (from \"\(written)\"): \(problem); "
        #expect(error.diagnostics.count == 1 && error.description.contains(found))
    }

    @Test(arguments: [
        ("shop.example", "http", "shop.example:80"), ("shop.example", "https", "shop.example:443"),
        ("shop.example:8081", "https", "shop.example:8081"),
    ])
    func `the monitor of the default config connects to the port of the upstream or of its scheme`(
        upstream: String, scheme: String, address: String
    ) throws {
        let path = "\(Repository.root)/config/larder.yaml"
        let loaded = try LoadedConfiguration.load(
            path: path, environment: ["LARDER_UPSTREAM": upstream, "LARDER_UPSTREAM_SCHEME": scheme])
        let monitor = loaded.root.outline.all.first { $0.id == "monitors.upstream" }
        #expect(monitor?.settings.text("address") == address)
    }

    @Test func `defaults are as documented`() throws {
        let document = try ConfigDocument.parse(makeConfiguration(""), file: "c.yaml", environment: [:])
        let service = try LoadedConfiguration.check(document).service
        #expect(service.http.listen.map(\.description) == ["[::]:8080"])
        #expect("\(service.adminListen)" == "127.0.0.1:9090")
        #expect(service.http.threads == nil)
        #expect(service.http.pagination.defaultLimit == 0)
        #expect(service.http.pagination.maxLimit == 1000)
        #expect(service.http.pagination.limits == PageLimits())
        #expect(service.http.maxAge == .seconds(5))
        #expect(service.http.cacheScope == nil)
        #expect(service.http.accessLog == .errors)
        #expect(service.http.drain.delay == .seconds(5))
        #expect(service.http.drain.deadline == .seconds(20))
        #expect(service.logLevel == .info)
        #expect(service.logFormat == .auto)
        #expect(service.popularity.salesOver == 100)
    }

    @Test func `values are taken`() throws {
        let text = """
            http:
              listen: "[::1]:81"
              threads: 3
              limits: { idle_timeout: 7s }
              pagination: { default_limit: 20, max_limit: 50 }
              cache_control: { max_age: 1m, scope: private }
              access_log: all
              drain: { delay: 1s, deadline: 2s }
            admin: { listen: 127.0.0.2:82 }
            log: { level: debug, format: text }
            popular: { sales_over: 7 }
            """
        let document = try ConfigDocument.parse(makeConfiguration(text), file: "c.yaml", environment: [:])
        let service = try LoadedConfiguration.check(document).service
        #expect(service.http.listen == [.tcp(NetworkAddress(host: "::1", port: 81))])
        #expect(service.http.threads == 3)
        #expect(service.http.limits.idleTimeout == .seconds(7))
        #expect(service.http.pagination.limits == PageLimits(whenNotGiven: 20, greatest: 50))
        #expect(service.http.maxAge == .seconds(60))
        #expect(service.http.cacheScope == .private)
        #expect(service.http.accessLog == .all)
        #expect(service.http.drain.delay == .seconds(1))
        #expect(service.http.drain.deadline == .seconds(2))
        #expect(service.adminListen == NetworkAddress(host: "127.0.0.2", port: 82))
        #expect(service.logLevel == .debug)
        #expect(service.logFormat == .text)
        #expect(service.popularity.salesOver == 7)
    }
}

@Suite struct BadServiceConfigurationTests {
    @Test(arguments: [
        ("http: { tiles: 3 }", #"1:9: error: unknown key "tiles" in "http""#),
        ("http: { listn: a:1 }", #"1:9: error: unknown key "listn" in "http"; did you mean "listen"?"#),
        (
            "http: { listen: here }",
            #"1:17: error: "listen": bad address "here": it has no port; write it like 127.0.0.1:8080, example.com:443 or [::1]:8080"#
        ),
        ("http: { threads: zero }", #"1:18: error: "threads": bad number "zero"; it must be auto or from 1 to 256"#),
        ("http: { threads: 257 }", #"1:18: error: "threads": bad number "257"; it must be auto or from 1 to 256"#),
        (
            "http: { limits: { header_bytes: 0 } }",
            #"1:33: error: "header_bytes": "0" is out of range; it must be from 256 to 1MiB"#
        ),
        (
            "http: { cache_control: { max_age: soon } }",
            #"1:35: error: "max_age": bad duration "soon"; write it like 250ms, 5s, 2m or 7d"#
        ),
        (
            "http: { cache_control: { scope: shared } }",
            #"1:33: error: "scope": expected public or private, found "shared""#
        ),
        (
            "http: { locales: [de, en_GB] }",
            #"1:23: error: "locales": expected a language like de or pt-BR, found "en_GB""#
        ),
        ("http: { locales: [de, en, DE] }", #"1:27: error: "locales": "DE" is there twice"#),
        ("http: { access_log: some }", #"1:21: error: "access_log": expected off, errors or all, found "some""#),
        (
            "http: { drain: { delay: 2s, deadline: 2s } }",
            #"1:25: error: the drain delay is not shorter than the deadline; make "deadline" the longer one"#
        ),
        (
            "http: { drain: { delay: 30s, deadline: x } }",
            #"1:40: error: "deadline": bad duration "x"; write it like 250ms, 5s, 2m or 7d"#
        ),
        (
            "log: { level: loud }",
            #"1:15: error: "level": expected trace, debug, info, notice, warning, error or critical, found "loud""#
        ),
        (
            "admin: { allow_hosts: [a.example, \"https://b.example\"] }",
            #"1:35: error: "allow_hosts": "https://b.example" is no name; write it like larder.shop.example, "#
                + "without scheme and port"
        ),
        ("popular: { sales_over: many }", #"1:24: error: "sales_over": expected integer, found "many""#),
    ])
    func `a problem is one line with its position`(section: String, line: String) {
        #expect(problems(makeConfiguration(section)) == ["c.yaml:\(line)"])
    }

    @Test(arguments: [
        ("http: { listen: shop:81 }\nadmin: { listen: shop:81 }", "2:18", "shop:81", "shop:81"),
        ("http: { listen: 127.0.0.1:9090 }", "1:1", "127.0.0.1:9090", "127.0.0.1:9090"),
        ("admin: { listen: 127.0.0.1:8080 }", "1:18", "127.0.0.1:8080", "[::]:8080"),
        ("http: { listen: 0.0.0.0:81 }\nadmin: { listen: 127.0.0.1:81 }", "2:18", "127.0.0.1:81", "0.0.0.0:81"),
        ("http: { listen: \"[::1]:81\" }\nadmin: { listen: \"[::]:81\" }", "2:18", "[::]:81", "[::1]:81"),
    ])
    func `conflicting ports are one line that names both`(
        sections: String, place: String, admin: String, products: String
    ) {
        #expect(
            problems(makeConfiguration(sections)) == [
                """
                c.yaml:\(place): error: admin.listen \(admin) and http.listen \(products) overlap; \
                change the port of one
                """
            ])
    }

    @Test(arguments: [
        "http: { listen: 127.0.0.1:0 }\nadmin: { listen: 127.0.0.1:0 }",
        "http: { listen: 127.0.0.1:81 }\nadmin: { listen: 127.0.0.2:81 }",
        "http: { listen: 0.0.0.0:81 }\nadmin: { listen: \"[::1]:81\" }",
        "http: { listen: 0.0.0.0:81 }\nadmin: { listen: localhost:81 }",
    ])
    func `ports that may coexist are accepted`(sections: String) {
        #expect(problems(makeConfiguration(sections)) == [])
    }

    @Test func `all problems are reported in the order of their positions`() {
        let lines = problems(makeConfiguration("log: { level: loud }\nhttp: { threads: none, acces_log: off }"))
        #expect(lines.map { $0.prefix(12) } == ["c.yaml:1:15:", "c.yaml:2:18:", "c.yaml:2:24:"])
    }

    @Test func `a file without a graph is an error`() {
        #expect(problems("log: { level: info }") == ["c.yaml:1:1: error: missing \"serve\" at the top level"])
    }
}
