import Testing

@testable import Service

@Suite("Which form of metrics a client wants")
struct AcceptedMetricsTests {
    private static let media = "application/openmetrics-text"

    @Test(
        "The older form, where nothing else is asked for",
        arguments: [
            nil, "", "*/*", "text/plain", "text/plain;version=0.0.4", "text/*;q=0.1", "application/json", ",;q=,/",
            "\(media);version=0.0.1", "\(media);q=0", "\(media);q=2", "\(media);q=x",
            "\(media);version=1.0.0;q=0.3,text/plain;version=0.0.4;q=0.5", "application/*",
            "\(media);q=0.001,*/*;q=0.002",
            "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited",
        ])
    func text(accept: String?) {
        #expect(AcceptedMetrics.best(accept) == .text)
    }

    @Test(
        "OpenMetrics, where it is named and liked at least as much",
        arguments: [
            media, "\(media);version=1.0.0; charset=utf-8", "Application/OpenMetrics-Text; Version=\"1.0.0\"",
            "\(media), text/plain", "text/plain;q=0.5 , \(media) ; q=0.6", "*/*;q=0.2,\(media);q=0.2",
            "\(media);version=1.0.0;q=0.5,\(media);version=0.0.1;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2",
            "text/plain;version=1.0.0;q=0.6,\(media);version=1.0.0;q=0.5",
            "\(media);version=1.0.0;escaping=allow-utf-8;q=0.6,*/*;q=0.1", "\(media),text/plain;q=0,*/*;q=1",
        ])
    func openMetrics(accept: String) {
        #expect(AcceptedMetrics.best(accept) == .openMetrics)
    }
}
