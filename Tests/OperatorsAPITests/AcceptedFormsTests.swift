import Prometheus
import Testing

@testable import OperatorsAPI

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
