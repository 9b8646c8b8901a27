import Concurrency
import Configuration
import FoundationEssentials
import Health
import JSON
import Networking
import Products
import TestSupport
import Testing
internal import Wiring

/// What a part reports as a trouble is said in every place, with cause and since.
@Suite(.timeLimit(.minutes(1)))
struct KnownTroublesTests {
    /// A provider that passes requests on and reports the troubles of a test.
    private final class TroubledProvider: ProductsProvider, TroubleReporting {
        let upstream: any ProductsProvider
        let all: Shared<[Trouble]>

        init(_ upstream: any ProductsProvider, _ all: Shared<[Trouble]>) {
            (self.upstream, self.all) = (upstream, all)
        }

        var troubles: [Trouble] { all.withLock { $0 } }

        func products(for request: ProductsRequest) async throws -> ProductsAnswer {
            try await upstream.products(for: request)
        }
    }

    private let troubles = Shared<[Trouble]>([])
    private let service: InMemoryService

    init() throws {
        let spec = ComponentSpec<ProviderFamily>(
            type: "troubled", summary: "a part with troubles",
            fields: [.required("upstream", .component(ProviderFamily.self), "what it asks")],
            example: "{ type: troubled, upstream: shop }"
        ) { [troubles] reader in
            let upstream = reader.component("upstream", ProviderFamily.self)
            return { TroubledProvider(try upstream.instantiate(in: $0), troubles) }
        }
        service = try InMemoryService(
            "top: { type: memory, upstream: part }\npart: { type: troubled, upstream: shop }",
            adding: { $0.register(ProviderFamily.self, [spec]) })
    }

    private func health(_ target: String = "/healthz") async throws -> HTTPClientResponse {
        try await service.get(target, headers: [HTTPHeader("Accept", "application/health+json")], admin: true)
    }

    @Test(arguments: Trouble.Kind.allCases)
    func `health, readiness, graph, page and metrics name a trouble with cause and since, and the service is ready`(
        kind: Trouble.Kind
    ) async throws {
        _ = try await service.warm()
        #expect(try await health().json?["status"] == "pass")
        #expect(try await service.graph()["troubles"] == nil)
        let since = service.clock.now
        troubles.withLock { $0 = [Trouble(kind, cause: "the <cause>", since: since)] }
        service.clock.advance(by: .seconds(300))
        _ = try await service.warm()

        #expect(try await service.get("/readyz").text == "ok\n")
        let plain = try await service.get("/readyz?verbose").text
        #expect(plain.contains("since 2027-01-15T08:00:00Z") && !plain.contains("cause") && !plain.contains("part"))
        let lines = try await service.get("/readyz?verbose", admin: true).text.split(separator: "\n")
        let line = try #require(lines.first { $0.contains("the <cause>") })
        #expect(line.hasPrefix("[+]") && line.contains(" warn") && line.contains(" part for 5m (since 08:00:00 UTC): "))
        let json = try #require(try await health().json)
        #expect(json["status"] == "warn")
        #expect(json["output"]?.string?.contains("the <cause>") == true)

        let shown = try #require(try await service.graph()["troubles"]?.array?.first?.object)
        #expect(shown["kind"]?.string == kind.rawValue && shown["part"] == "part" && shown["cause"] == "the <cause>")
        #expect(shown["since"]?.string == since.formatted(.iso8601))
        #expect(
            try await service.get("/graph.html", admin: true).text.contains("(since 08:00:00 UTC): the &lt;cause&gt;"))
        let metrics = try await service.get("/metrics", admin: true).text
        let series = "larder_trouble_since_timestamp_seconds{kind=\"\(kind.rawValue)\",part=\"part\"} 1800000000"
        #expect(metrics.contains(series))

        troubles.withLock { $0 = [] }
        #expect(try await health().json?["status"] == "pass")
    }

    @Test func `an upstream in trouble makes the upstream warn, without a request and without a catalogue too`()
        async throws
    {
        troubles.withLock { $0 = [Trouble(.monitor, cause: "unreachable", since: service.clock.now)] }
        let empty = try await service.get("/readyz?verbose", admin: true)
        #expect(empty.status == 503 && empty.text.contains("monitor part for 0s (since 08:00:00 UTC): unreachable"))
        _ = try await service.warm()
        let upstream = try await health().json?["checks"]?.object?["upstream"]?.array?.first?.object
        #expect(upstream?["status"] == "warn")
    }

    @Test func `clients are told a source that is stale apart from an upstream that is away`() async throws {
        let now = service.clock.now
        let source = Trouble(.source, cause: "hidden", since: now - 60)
        let monitor = Trouble(.monitor, cause: "hidden", since: now)
        _ = try await service.warm()
        for (all, words) in [
            ([source], "source stale"), ([monitor], "upstream offline"),
            ([monitor, source], "upstream offline, source stale"),
        ] {
            troubles.withLock { $0 = all }
            let line = try #require(try await service.get("/readyz?verbose").text.split(separator: "\n").first)
            let since = all.contains(source) ? "2027-01-15T07:59:00Z" : "2027-01-15T08:00:00Z"
            #expect(line.hasSuffix(", from network, \(words), since \(since)"), "\(line)")
        }
    }

    @Test func `two troubles of one kind in one part are both told, and are one series from the earlier on`()
        async throws
    {
        let now = service.clock.now
        troubles.withLock {
            $0 = [
                Trouble(.store, cause: "later", since: now), Trouble(.store, cause: "first", since: now - 60),
            ]
        }
        _ = try await service.warm()
        let aspects = try await health().json?["checks"]?.object?["store:part"]?.array
        #expect(aspects?.count == 2)
        let metrics = try await service.get("/metrics", admin: true).text
        #expect(metrics.contains("{kind=\"store\",part=\"part\"} 1799999940"))
    }
}
