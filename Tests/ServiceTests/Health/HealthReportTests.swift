import FoundationEssentials
import JSON
import Testing

@testable import Service

@Suite("What a probe reports")
struct HealthReportTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)

    private func report(
        _ catalogue: ReadinessTracker.Catalogue, isDraining: Bool = false, after seconds: Double = 0,
        excluding excluded: [String] = []
    ) -> HealthReport {
        let time = Self.start.addingTimeInterval(seconds)
        return HealthReport(
            "readyz", at: time, [.catalogue(catalogue, at: time), .drain(isDraining: isDraining)], excluding: excluded)
    }

    private func ready(isOffline: Bool = false) throws -> ReadinessTracker.Catalogue {
        .success(makeAnswer(try makeCatalogue(), freshness: makeFreshness(isOffline: isOffline)))
    }

    @Test("It passes while what is served is fresh, warns when that is over, and counts the age on")
    func fresh() throws {
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

    @Test("It warns while the upstream is offline, and what is served is ready all the same")
    func offline() throws {
        let report = report(try ready(isOffline: true), after: 5)
        #expect(report.status == .warn)
        #expect(report.text == "ok\n")
        #expect(
            report.verboseText == """
                [+]catalogue ok: 1 products, 5 s old, from network, upstream offline
                [+]drain ok
                readyz check passed

                """)
        let upstream = report.json["checks"]?.object?["upstream"]?.array?.first?.object
        #expect(upstream?["output"]?.string == "upstream offline")
    }

    @Test("Of a graph that keeps nothing there is nothing to say about its upstream")
    func unkept() throws {
        let report = report(.success(makeAnswer(try makeCatalogue())), after: 900)
        #expect(report.status == .pass)
        #expect(report.json["checks"]?.object?.keys.contains("upstream") == false)
    }

    @Test("It fails without a catalogue, and while the service stops, and says so in a line")
    func failing() throws {
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

    @Test("A check that is left out passes, in either form")
    func excluded() {
        let report = report(
            .failure(ReadinessState.Emptiness(reason: "not-stored")), excluding: ["catalogue", "catalogue"])
        #expect(report.status == .pass)
        #expect(report.text == "ok\n")
        #expect(report.verboseText == "[+]catalogue excluded: ok\n[+]drain ok\nreadyz check passed\n")
        #expect(report.json["checks"]?.object?.keys == ["drain"])
    }

    @Test("What is no check and cannot be left out is named in one line, whatever it is called")
    func unknown() throws {
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
