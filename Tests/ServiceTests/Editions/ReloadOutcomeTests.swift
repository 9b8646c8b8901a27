import FoundationEssentials
import Hashing
import JSON
import Networking
import Networking
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ReloadMetricsTests {
    private static let refusal = "error: reload refused, the old config stays"

    /// The metrics of the config in force.
    private struct Seen: Equatable {
        let successful: Double?
        let lastSuccess: Double?
        let hashes: Set<String>?

        init(_ exposed: ExposedMetrics) {
            successful = exposed.value("larder_config_last_reload_successful", [:])
            lastSuccess = exposed.value("larder_config_last_reload_success_timestamp_seconds", [:])
            hashes = exposed["larder_config_info"]?.values(of: "hash")
        }

        init(_ successful: Double, _ lastSuccess: Double, _ yaml: String) {
            self.successful = successful
            self.lastSuccess = lastSuccess
            hashes = [SHA256Digest(of: yaml.utf8).hexDigits]
        }
    }

    @Test func `metrics and graph tell the config in force, and a bad one clears the success`() async throws {
        try await Stand.with { stand in
            let start = stand.clock.now.timeIntervalSince1970
            let yaml = stand.settings.yaml
            #expect(Seen(try await stand.metrics()) == Seen(1, start, yaml))
            let config = try #require(try await stand.graph()["config"]?.object)
            #expect(config["edition"] == 1)
            #expect(config["hash"]?.string == SHA256Digest(of: yaml.utf8).hexDigits)
            stand.clock.advance(by: .seconds(60))
            try await stand.reload("\(yaml)\nunknown: 1", until: Self.refusal)
            #expect(Seen(try await stand.metrics()) == Seen(0, start, yaml))
            #expect(try await stand.graph()["config"]?.object == config)
            stand.clock.advance(by: .seconds(60))
            try await stand.reload { $0.ttl = "11s" }
            #expect(stand.settings.yaml != yaml)
            #expect(Seen(try await stand.metrics()) == Seen(1, start + 120, stand.settings.yaml))
            let second = try await stand.graph()["config"]?.object
            #expect(second?["edition"] == 2)
            #expect(second?["hash"]?.string == SHA256Digest(of: stand.settings.yaml.utf8).hexDigits)
        }
    }
}

@Suite(.timeLimit(.minutes(1)))
struct ReloadedAnswersTests {
    @Test(arguments: [("popular: { sales_over: 1000000 }", ""), ("", ", pagination: { default_limit: 7 }")])
    func `responses changed by a reload count as modified since`(sections: String, http: String) async throws {
        try await Stand.with { stand in
            let before = try await stand.warm()
            let date = try #require(before.headers["Last-Modified"])
            let since = { [HTTPHeader("If-Modified-Since", $0)] }
            #expect(try await stand.get("/products", headers: since(date)).status == 304)
            try await stand.reload {
                $0.sections = sections
                $0.http += http
            }
            let after = try await stand.get("/products", headers: since(date))
            #expect(after.status == 200)
            #expect(after.body != before.body)
            #expect(after.headers["Last-Modified"] == date)
            stand.clock.advance(by: .seconds(1))
            let later = try #require(try await stand.get("/products").headers["Last-Modified"])
            #expect(later == "Tue, 14 Nov 2023 22:13:21 GMT")
            #expect(try await stand.get("/products", headers: since(date)).status == 200)
            #expect(try await stand.get("/products", headers: since(later)).status == 304)
        }
    }

    @Test(arguments: ["limits: { per_address: 9 }", TestCertificate.first.section])
    func `a description shows restart-only settings as started, and others as reloaded`(waiting: String) async throws {
        try await Stand.with { stand in
            try await stand.reload { $0.http += ", \(waiting), cors: { allow_origins: [https://shop.example] }" }
            let described = try await stand.get("/openapi.json").text
            #expect(described.contains("Access-Control-Allow-Origin"))
            #expect(described.contains(#""connections":{"#))
            #expect(!described.contains(#""address_limit":{"#))
        }
    }
}
