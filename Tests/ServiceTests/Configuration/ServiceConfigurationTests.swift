import Configuration
import Logging
import Products
import TestSupport
import Testing

@testable import Service

@Suite("The service's part of a config file")
struct ServiceConfigurationTests {
    @Test("Every example config is good once the upstream is named", arguments: Repository.configs)
    func examples(name: String) throws {
        let loaded = try LoadedConfiguration.load(
            path: "\(Repository.root)/config/\(name)", environment: ["LARDER_UPSTREAM": "localhost:8081"])
        #expect(loaded.warnings == [])
    }

    @Test("There are examples, the default among them")
    func thereAreExamples() {
        #expect(Repository.configs.contains("larder.yaml"))
    }

    @Test("The default config without an upstream says which variable is missing, and where")
    func missingUpstream() throws {
        let path = "\(Repository.root)/config/larder.yaml"
        let error = try #require(throws: ConfigurationError.self) {
            try LoadedConfiguration.load(path: path, environment: [:])
        }
        let hint = "environment variable LARDER_UPSTREAM is not defined; define it or write ${LARDER_UPSTREAM:-default}"
        #expect(error.description == "\(path):13:35: error: \(hint)\n\(path):28:32: error: \(hint)")
    }

    @Test("The default config has the port for operators and the scheme of the upstream from variables")
    func variables() throws {
        let path = "\(Repository.root)/config/larder.yaml"
        func loaded(_ others: [String: String]) throws -> (admin: String, urls: [String]) {
            let environment = ["LARDER_UPSTREAM": "shop.example:443"].merging(others) { $1 }
            let loaded = try LoadedConfiguration.load(path: path, environment: environment)
            #expect(loaded.warnings == [])
            let urls = loaded.root.outline.all.compactMap { $0.settings.text("request.base_url") }
            return ("\(loaded.service.adminListen)", urls)
        }
        let usual = try loaded([:])
        #expect(usual.admin == "127.0.0.1:9090" && usual.urls == ["http://shop.example:443"])
        let other = try loaded(["LARDER_ADMIN": "0.0.0.0:9091", "LARDER_UPSTREAM_SCHEME": "https"])
        #expect(other.admin == "0.0.0.0:9091" && other.urls == ["https://shop.example:443"])
    }

    @Test(
        "The default config tells what is wrong with the address of the upstream",
        arguments: [("localhost", "it has no port"), ("http://shop:8081", "it begins with a scheme")])
    func badUpstream(value: String, problem: String) throws {
        let path = "\(Repository.root)/config/larder.yaml"
        let error = try #require(throws: ConfigurationError.self) {
            try LoadedConfiguration.load(path: path, environment: ["LARDER_UPSTREAM": value])
        }
        let found = "\"address\": bad address \"\(value)\" (from \"${LARDER_UPSTREAM}\"): \(problem); "
        #expect(error.description.contains(found))
    }

    @Test("What is not said has the documented default")
    func defaults() throws {
        let document = try ConfigDocument.parse(makeConfiguration(""), file: "c.yaml", environment: [:])
        let service = try LoadedConfiguration.check(document).service
        #expect("\(service.http.listen)" == "0.0.0.0:8080")
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
        #expect(service.popularity.salesOver == 100)
    }

    @Test("What is said is taken")
    func values() throws {
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
            log: { level: debug }
            popular: { sales_over: 7 }
            """
        let document = try ConfigDocument.parse(makeConfiguration(text), file: "c.yaml", environment: [:])
        let service = try LoadedConfiguration.check(document).service
        #expect(service.http.listen == NetworkAddress(host: "::1", port: 81))
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
        #expect(service.popularity.salesOver == 7)
    }
}
