import Fleet
import FoundationEssentials
import Health
import JSON
import Products
import Providers
import ServingTestSupport
import Testing

@testable import OperatorsAPI
@testable import Serving

@Suite struct HealthReportTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)

    private func report(
        _ catalogue: ReadinessTracker.Catalogue, failing: [FailingUpstream] = [], isDraining: Bool = false,
        after seconds: Double = 0, excluding excluded: [String] = []
    ) -> HealthReport {
        let time = Self.start.addingTimeInterval(seconds)
        return HealthReport(
            "readyz", at: time,
            [.catalogue(catalogue, failing: failing, at: time), .drain(isDraining: isDraining)], excluding: excluded)
    }

    private func ready(isOffline: Bool = false, mayIdle: Bool = false) throws -> ReadinessTracker.Catalogue {
        .success(
            makeAnswer(
                try makeCatalogue(),
                freshness: makeFreshness(isOffline: isOffline, mayIdle: mayIdle)))
    }

    private func makeFailing(
        _ provider: String = "storefront", for seconds: Double, nextTry: UpstreamTrouble.NextTry
    ) -> FailingUpstream {
        let failure = ProductsFailure.upstreamStatus(401, retryAfter: nil)
            .from(provider: "books", url: "http://shop/v2/books")
        return FailingUpstream(
            provider: provider,
            trouble: UpstreamTrouble(
                failure: failure, since: Self.start.addingTimeInterval(-seconds), nextTry: nextTry))
    }

    @Test func `it passes while the catalogue is fresh and warns afterwards`() throws {
        let fresh = report(try ready(), after: 30)
        #expect(fresh.status == .pass)
        #expect(fresh.json["output"] == nil)
        let stale = report(try ready(), after: 31)
        #expect(stale.status == .warn)
        #expect(
            String(decoding: JSONValue.object(stale.json).encoded(), as: UTF8.self) == """
                {"status":"warn","version":"\(LarderVersion.current)","serviceId":"larder",\
                "description":"a product catalogue that is served also while its source is offline",\
                "output":"stale","checks":{\
                "catalogue:age":[{"status":"warn","observedValue":31.0,"observedUnit":"s",\
                "time":"2027-01-15T08:00:31Z","output":"stale"}],\
                "catalogue:products":[{"status":"pass","observedValue":1,"time":"2027-01-15T08:00:31Z"}],\
                "upstream":[{"status":"pass","time":"2027-01-15T08:00:31Z"}],\
                "drain":[{"status":"pass","time":"2027-01-15T08:00:31Z"}]}}
                """)
    }

    @Test func `an idle service gives no warning`() throws {
        let idle = report(try ready(mayIdle: true), after: 600)
        #expect(idle.status == .pass)
        #expect(idle.json["output"] == nil)
        #expect(report(try ready(isOffline: true, mayIdle: true), after: 600).status == .warn)
    }

    @Test(arguments: [
        (245.0, UpstreamTrouble.NextTry.after(.milliseconds(11_200)), "4m (since 07:55:55 UTC)", "next try in 12s"),
        (5, .running, "5s (since 07:59:55 UTC)", "being tried again"),
        (86_400, .onRequest, "24h (since 2027-01-14 08:00:00 UTC)", "next try with the next request"),
        (-60, .onRequest, "0s (since 08:01:00 UTC)", "next try with the next request"),
    ])
    func `it says since when and why the upstream fails, and when the next try is`(
        seconds: Double, nextTry: UpstreamTrouble.NextTry, since: String, next: String
    ) throws {
        let text = "upstream failing for \(since): 401 from http://shop/v2/books (provider \"books\"); \(next)"
        let failing = [makeFailing(for: seconds, nextTry: nextTry)]
        let ready = report(try ready(isOffline: true), failing: failing)
        #expect(ready.verboseText.hasPrefix("[+]catalogue warn: 1 products, 0 s old, from network, \(text)\n"))
        #expect(ready.json["checks"]?.object?["upstream"]?.array?.first?.object?["output"]?.string == text)
        #expect(ready.json["output"]?.string == text)
        let empty = report(.failure(ReadinessState.Emptiness(reason: "status-401")), failing: failing)
        #expect(empty.verboseText.hasPrefix("[-]catalogue failed: status-401; \(text)\n"))
        #expect(empty.text == "no catalogue to serve: status-401\n")
        #expect(empty.json["output"]?.string == "status-401; \(text)")
    }

    @Test func `text of an upstream begins no line of its own`() throws {
        let failure = ProductsFailure.refused(.duplicateID("x\n[+]fake ok\r", first: 0, second: 1))
        let failing = FailingUpstream(
            provider: "storefront", trouble: UpstreamTrouble(failure: failure, since: Self.start, nextTry: .running))
        let lines = report(try ready(isOffline: true), failing: [failing]).verboseText.split(
            whereSeparator: \.isNewline)
        #expect(lines.count == 3)
    }

    @Test func `each of several failing upstreams is named`() throws {
        let failing = ["books", "toys"].map { makeFailing($0, for: 1, nextTry: .running) }
        let text = report(try ready(isOffline: true), failing: failing).verboseText
        #expect(text.contains("upstream of books failing for 1s") && text.contains("upstream of toys failing for 1s"))
    }

    @Test func `it warns while the upstream is offline, and stays ready`() throws {
        let report = report(try ready(isOffline: true), after: 5)
        #expect(report.status == .warn)
        #expect(report.text == "ok\n")
        #expect(
            report.verboseText == """
                [+]catalogue warn: 1 products, 5 s old, from network, upstream offline
                [+]drain ok
                readyz check passed

                """)
        let upstream = report.json["checks"]?.object?["upstream"]?.array?.first?.object
        #expect(upstream?["output"]?.string == "upstream offline")
    }

    @Test func `clients are told since when a shared store is away, and not which one and why`() throws {
        var fleet = FleetReport()
        fleet.troubles = [60.0, 5].map { Trouble(.sharedStore, cause: "refused", since: Self.start - $0) }
        let store = SharedStoreReport(id: "s", label: "shared", fleet)
        let checks = HealthCheck.sharedStores([store], at: Self.start)
        let text = HealthReport("readyz", at: Self.start, checks, isForClients: true).verboseText
        #expect(text.hasPrefix("[+]fleet warn: not connected, since 2027-01-15T07:59:00Z\n"))
    }

    @Test func `a graph without memory reports nothing about its upstream`() throws {
        let report = report(.success(makeAnswer(try makeCatalogue())), after: 900)
        #expect(report.status == .pass)
        #expect(report.json["checks"]?.object?.keys.contains("upstream") == false)
    }

    @Test func `it fails in one line without a catalogue and while the service stops`() throws {
        let empty = report(.failure(ReadinessState.Emptiness(reason: "not-stored")))
        #expect(empty.status == .fail)
        #expect(empty.text == "no catalogue to serve: not-stored\n")
        #expect(empty.verboseText == "[-]catalogue failed: not-stored\n[+]drain ok\nreadyz check failed\n")
        #expect(empty.json["output"]?.string == "not-stored")
        let draining = report(.failure(ReadinessState.Emptiness(reason: "not-stored")), isDraining: true)
        #expect(draining.text == "draining\n")
        let stopping = report(try ready(), isDraining: true).verboseText
        #expect(stopping.hasSuffix("[-]drain failed: the service is stopping\nreadyz check failed\n"))
    }

    @Test func `an excluded check passes in either form`() {
        let report = report(
            .failure(ReadinessState.Emptiness(reason: "not-stored")), excluding: ["catalogue", "catalogue"])
        #expect(report.status == .pass)
        #expect(report.text == "ok\n")
        #expect(report.verboseText == "[+]catalogue excluded: ok\n[+]drain ok\nreadyz check passed\n")
        #expect(report.json["checks"]?.object?.keys == ["drain"])
    }

    @Test func `unknown exclusions are named in one line, whatever they contain`() throws {
        let report = report(try ready(), excluding: ["x\n[+]fake ok", "drain", "etcd"])
        let lines = report.verboseText.split(separator: "\n")
        #expect(lines.count == 4)
        #expect(
            lines[2]
                == #"warn: some health checks cannot be excluded: no matches for "etcd","x\n[+]fake ok""#)
        #expect(report.json["notes"]?.array?.count == 2)
        #expect(report.status == .pass)
    }
}
