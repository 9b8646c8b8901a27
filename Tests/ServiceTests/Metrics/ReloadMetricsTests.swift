import FoundationEssentials
import Hashing
import TestSupport
import Testing

@testable import Service

@Suite("Metrics of reloads", .timeLimit(.minutes(1)))
struct ReloadMetricsTests {
    private static let refusal = "error: reload refused, the old config stays"

    /// What Prometheus sees of the config.
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

    @Test("The start is a success, a bad config is none until a good one is loaded, and the hash is that in force")
    func badConfig() async throws {
        try await Stand.with { stand in
            let start = stand.clock.now.timeIntervalSince1970
            let yaml = stand.settings.yaml
            #expect(Seen(try await stand.metrics()) == Seen(1, start, yaml))
            stand.clock.advance(by: .seconds(60))
            try await stand.reload("\(yaml)\nunknown: 1", until: Self.refusal)
            #expect(Seen(try await stand.metrics()) == Seen(0, start, yaml))
            stand.clock.advance(by: .seconds(60))
            try await stand.reload { $0.ttl = "11s" }
            #expect(stand.settings.yaml != yaml)
            #expect(Seen(try await stand.metrics()) == Seen(1, start + 120, stand.settings.yaml))
        }
    }

    @Test("A graph that is refused because it has nothing to serve is a failure too, and so is the same again")
    func nothingToServe() async throws {
        let port = try FreePort.pick()
        try await Stand.with {
            $0.isMonitored = false
        } _: { stand in
            _ = try await stand.warm()
            let before = Seen(try await stand.metrics())
            let other = stand.settings.yaml.replacing("storefront", with: "showcase")
                .replacing(stand.shop.address, with: "127.0.0.1:\(port)")
                .replacing("/store", with: "/elsewhere")
            for _ in 0..<2 {
                try await stand.reload(other, until: Self.refusal)
                let seen = Seen(try await stand.metrics())
                #expect(seen.successful == 0)
                #expect(seen.lastSuccess == before.lastSuccess && seen.hashes == before.hashes)
            }
            try await stand.reload()
            #expect(Seen(try await stand.metrics()).successful == 1)
        }
    }
}
