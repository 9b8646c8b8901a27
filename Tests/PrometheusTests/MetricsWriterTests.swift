@testable import Prometheus
import TestSupport
import Testing

@Suite struct MetricsWriterTests {
    private static let families = [
        MetricFamily(
            MetricDescription("jobs", .counter, "Jobs\nof \"all\" \\ kinds."),
            [MetricSeries(["kind": "a \"b\" \\ \n c"], .count(3)), MetricSeries(["kind": "é"], .number(0.5))]),
        MetricFamily(
            MetricDescription("wait_seconds", .histogram, "Waiting."),
            [MetricSeries([:], .histogram(HistogramReading(bounds: [0.25, 1], counts: [2, 0, 1], sum: 7.5)))]),
        MetricFamily(MetricDescription("made", .info, "Made of."), [MetricSeries(["of": "tin"], .count(1))]),
        MetricFamily(
            MetricDescription("limit_bytes", .gauge, "The limit."), [MetricSeries([:], .number(.infinity))]),
        MetricFamily(MetricDescription("nothing", .gauge, "Nobody has it."), []),
    ]

    @Test func `the form of Prometheus, to the letter`() {
        #expect(
            MetricsWriter.text(of: Self.families) == #"""
                # TYPE jobs_total counter
                # HELP jobs_total Jobs\nof 'all' \\ kinds.
                jobs_total{kind="a \"b\" \\ \n c"} 3
                jobs_total{kind="é"} 0.5
                # TYPE wait_seconds histogram
                # HELP wait_seconds Waiting.
                wait_seconds_bucket{le="0.25"} 2
                wait_seconds_bucket{le="1.0"} 2
                wait_seconds_bucket{le="+Inf"} 3
                wait_seconds_sum 7.5
                wait_seconds_count 3
                # TYPE made_info gauge
                # HELP made_info Made of.
                made_info{of="tin"} 1
                # TYPE limit_bytes gauge
                # HELP limit_bytes The limit.
                limit_bytes +Inf

                """#)
    }

    @Test func `bytes are escaped even inside characters`() throws {
        let value = "a\r\nb_total 7\n\u{301}\"\u{301}\\\u{301}"
        let family = MetricFamily(
            MetricDescription("jobs", .counter, "Of\r\n'all'\"\u{301}."), [MetricSeries(["of": value], .count(3))])
        let text = MetricsWriter.text(of: [family])
        #expect(text.utf8.count { $0 == UInt8(ascii: "\n") } == 3)
        let exposed = try ExposedMetrics(text)
        #expect(exposed.value("jobs_total", ["of": value]) == 3)
        #expect(exposed.families.first?.help == "Of\r\\n'all''\u{301}.")
    }

    @Test func `no metrics are an empty text`() {
        #expect(MetricsWriter.text(of: []) == "")
    }

    @Test func `the first of two equal series is exposed`() {
        let twins = [MetricSeries(["of": "tin"], .count(1)), MetricSeries(["of": "tin"], .count(2))]
        let family = MetricFamily(MetricDescription("made", .gauge, "Made of."), twins)
        #expect(MetricsWriter.text(of: [family]).hasSuffix("\nmade{of=\"tin\"} 1\n"))
    }
}
