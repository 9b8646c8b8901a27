@testable import Prometheus
@testable import API
@testable import HTTPServer
import Testing

@testable import Service

@Suite struct AcceptedCodingsTests {
    private func choice(_ header: String?) -> AcceptedCodings.Choice { AcceptedCodings(header).choice }

    @Test func `nothing is coded without the header`() {
        #expect(choice(nil) == .identity)
    }

    @Test(arguments: [
        "gzip", "GZip", "x-gzip", "X-GZIP;q=0.1", "gzip, deflate, br, zstd", "deflate,gzip;q=1.0, *;q=0.5", "*",
        "*;q=0.001", "br;q=1, gzip;q=0.2", "gzip;q=0.5, identity;q=0.5", "gzip \t;\tq=0.8", " gzip ", ",,gzip,",
        "gzip;Q=1", "gzip;q=1.", "gzip;q=0.123", "identity;q=0.5, gzip", "gzip;q=0, gzip;q=1", "gzip;q=0, x-gzip",
    ])
    func `gzip is chosen where it is liked no less than identity`(header: String) {
        #expect(choice(header) == .gzip(orIdentity: true))
    }

    @Test(arguments: [
        "", " ", ",", "identity", "br", "deflate, br", "gzip;q=0", "gzip;q=0.000", "x-gzip;q=0", "gzip;q=0, *",
        "gzip;q=0.5, identity", "gzip;q=0.5, *", "gzip;q=0.4, identity;q=0.5", "*;q=0, identity;q=0.1",
        "gzip;q=0, identity;q=0.001", "gzipped", "gzi", "gzip-x", "compress;q=1",
    ])
    func `identity is chosen where gzip is refused or liked less`(header: String) {
        #expect(choice(header) == .identity)
    }

    @Test(arguments: [
        "gzip, identity;q=0", "identity;q=0, *", "*;q=0, gzip;q=0.1", "gzip;q=0.1, *;q=0",
        "IDENTITY; q=0.0, x-gzip",
    ])
    func `identity can be excluded by name or by *`(header: String) {
        #expect(choice(header) == .gzip(orIdentity: false))
    }

    @Test(arguments: [
        "*;q=0", "identity;q=0", "identity;q=0, gzip;q=0", "identity;q=0, br", "gzip;q=0, *;q=0", "*;q=0.0, br",
    ])
    func `nothing is acceptable where both are excluded`(header: String) {
        #expect(choice(header) == .nothing)
    }

    @Test(arguments: [
        "gzip;q=2", "gzip;q=1.1", "gzip;q=1.001", "gzip;q=0.1234", "gzip;q=-1", "gzip;q=", "gzip;q", "gzip;",
        "gzip;q=a", "gzip;q=.5", "gzip;x=1", "gzip;q=1;x=1", "gzip;q =1", "gzip;q= 1", "gzip;q=0,5", "gzip;q=0x1",
        "gzip;q=10", ";q=1", "*;q=2, br",
    ])
    func `an element with a malformed weight is ignored`(header: String) {
        #expect(choice(header) == .identity)
    }

    @Test(arguments: ["identity;q=0.0000, gzip", "*;q=00, gzip"])
    func `a malformed exclusion excludes nothing`(header: String) {
        #expect(choice(header) == .gzip(orIdentity: true))
    }
}

@Suite struct AcceptedMetricsTests {
    private static let media = "application/openmetrics-text"

    @Test(arguments: [
        nil, "", "*/*", "text/plain", "text/plain;version=0.0.4", "text/*;q=0.1", "application/json", ",;q=,/",
        "\(media);version=0.0.1", "\(media);q=0", "\(media);q=2", "\(media);q=x",
        "\(media);version=1.0.0;q=0.3,text/plain;version=0.0.4;q=0.5", "application/*",
        "\(media);q=0.001,*/*;q=0.002",
        "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited",
    ])
    func `the text form is the default`(accept: String?) {
        #expect(AcceptedMetrics.best(accept) == .text)
    }

    @Test(arguments: [
        media, "\(media);version=1.0.0; charset=utf-8", "Application/OpenMetrics-Text; Version=\"1.0.0\"",
        "\(media), text/plain", "text/plain;q=0.5 , \(media) ; q=0.6", "*/*;q=0.2,\(media);q=0.2",
        "\(media);version=1.0.0;q=0.5,\(media);version=0.0.1;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2",
        "text/plain;version=1.0.0;q=0.6,\(media);version=1.0.0;q=0.5",
        "\(media);version=1.0.0;escaping=allow-utf-8;q=0.6,*/*;q=0.1", "\(media),text/plain;q=0,*/*;q=1",
    ])
    func `OpenMetrics is for clients that name it and prefer it at least equally`(accept: String) {
        #expect(AcceptedMetrics.best(accept) == .openMetrics)
    }
}

@Suite struct HealthFormTests {
    @Test(arguments: [
        nil, "", "*/*", "text/plain", "text/html", "application/json", "image/png, text/*",
        "application/health+json;q=0.5, text/plain", "application/health+json;q=0", "application/health+json;q=x",
        "application/health+json;q=0.1, */*;q=0.2",
    ])
    func `text is the default`(accept: String?) {
        #expect(HealthForm.best(accept) == .text)
    }

    @Test(arguments: [
        "application/health+json", "Application/Health+JSON", "application/*",
        "text/plain, application/health+json", "application/health+json, */*",
        "text/plain;q=0.5, application/health+json; q=0.6", "application/*;q=0, application/health+json",
    ])
    func `JSON is for clients that name it and prefer it at least equally`(accept: String) {
        #expect(HealthForm.best(accept) == .json)
    }
}
