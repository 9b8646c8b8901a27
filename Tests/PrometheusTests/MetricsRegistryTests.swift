@testable import Prometheus
import CoreMetrics
import Synchronization
import TestSupport
import Testing

@Suite struct MetricsRegistryTests {
    private static let timed = MetricDescription("answer_seconds", .histogram, "Times.", buckets: .responses)
    private let registry = MetricsRegistry(known: [Self.timed])

    private func exposed() async throws -> ExposedMetrics {
        try ExposedMetrics(MetricsWriter.text(of: await registry.families()))
    }

    @Test func `the same label and dimensions are one counter, in any order`() async throws {
        Counter(label: "hits_total", dimensions: [("a", "1"), ("b", "2")], factory: registry).increment(by: 2)
        Counter(label: "hits_total", dimensions: [("b", "2"), ("a", "1")], factory: registry).increment()
        Counter(label: "hits_total", dimensions: [("a", "2")], factory: registry).increment()
        let exposed = try await exposed()
        #expect(exposed.value("hits_total", ["a": "1", "b": "2"]) == 3)
        #expect(exposed.value("hits_total", ["a": "2"]) == 1)
    }

    @Test func `a counter never decreases`() async throws {
        let counter = Counter(label: "hits", factory: registry)
        counter.increment(by: 5)
        counter.increment(by: -3)
        counter.reset()
        let parts = FloatingPointCounter(label: "cost", factory: registry)
        parts.increment(by: 0.5)
        parts.increment(by: -0.25)
        parts.increment(by: Double.infinity)
        parts.reset()
        let exposed = try await exposed()
        #expect(exposed.value("hits_total") == 5)
        #expect(exposed.value("cost_total") == 0.5)
    }

    @Test func `gauges, meters and recorders without aggregation show their last value`() async throws {
        Gauge(label: "level", factory: registry).record(7)
        let meter = Meter(label: "depth", factory: registry)
        meter.set(2)
        meter.increment(by: 1.5)
        meter.decrement()
        let exposed = try await exposed()
        #expect(exposed["level"]?.type == "gauge")
        #expect(exposed.value("level") == 7)
        #expect(exposed.value("depth") == 2.5)
    }

    @Test func `a time belongs to the first bucket that bounds it`() async throws {
        let timer = CoreMetrics.Timer(label: Self.timed.name, factory: registry)
        for nanoseconds in [1, 50_000, 50_001, 5_000_000_000, 5_000_000_001] { timer.recordNanoseconds(nanoseconds) }
        let exposed = try await exposed()
        let name = Self.timed.name
        #expect(exposed.value("\(name)_bucket", ["le": "5e-05"]) == 2)
        #expect(exposed.value("\(name)_bucket", ["le": "0.0001"]) == 3)
        #expect(exposed.value("\(name)_bucket", ["le": "5.0"]) == 4)
        #expect(exposed.value("\(name)_bucket", ["le": "+Inf"]) == 5)
        #expect(exposed.value("\(name)_count") == 5)
        #expect(try #require(exposed.value("\(name)_sum")).rounded() == 10)
    }

    @Test func `NaN and infinity do not poison a sum`() async throws {
        let recorder = Recorder(label: "sizes", factory: registry)
        recorder.record(Double.nan)
        recorder.record(Double.infinity)
        recorder.record(2)
        #expect(try await exposed().value("sizes_sum") == 2)
        #expect(try await exposed().value("sizes_count") == 1)
    }

    @Test(arguments: [
        ("http.client-requests", "http_client_requests_total"), ("9lives", "_9lives_total"), ("", "__total"),
        ("größe", "gr____e_total"), ("a:b_total", "a:b_total"),
    ])
    func `names and labels of libraries become valid in Prometheus`(label: String, name: String) async throws {
        Counter(label: label, dimensions: [("bad.name:", "x"), ("bad_name_", "y")], factory: registry).increment()
        #expect(try await exposed().value(name, ["bad_name_": "x"]) == 1)
    }

    @Test func `a name has one kind, records of another are dropped`() async throws {
        Counter(label: "size", factory: registry).increment()
        Meter(label: "size", factory: registry).set(7)
        CoreMetrics.Timer(label: "size", factory: registry).recordSeconds(7)
        FloatingPointCounter(label: "size", factory: registry).increment(by: 0.5)
        #expect(try await exposed().families.map(\.name) == ["size_total"])
        #expect(try await exposed().value("size_total") == 1)
    }

    @Test func `names that would collide when exposed are dropped`() async throws {
        Counter(label: "size", factory: registry).increment()
        Meter(label: "size_total", factory: registry).set(7)
        CoreMetrics.Timer(label: "wait", factory: registry).recordSeconds(7)
        Meter(label: "wait_count", factory: registry).set(7)
        Counter(label: "wait_sum", factory: registry).increment()
        Meter(label: "room_bucket", factory: registry).set(7)
        Recorder(label: "room", factory: registry).record(7)
        #expect(try await exposed().families.map(\.name) == ["room_bucket", "size_total", "wait"])
        #expect(try await exposed().value("size_total") == 1)
        #expect(try await exposed().value("wait_count") == 1)
    }

    @Test func `the number of series is bounded, and the bound is logged once`() async throws {
        let log = LogRecorder()
        let registry = MetricsRegistry(logger: log.logger)
        for number in 0..<10_100 {
            Counter(label: "flood", dimensions: [("id", "\(number)")], factory: registry).increment()
        }
        Counter(label: "flood", dimensions: [("id", "0")], factory: registry).increment()
        let flood = try #require(await registry.families().first)
        #expect(flood.series.count == 10_000)
        let line = "warning: there are too many series of metrics, new ones are not recorded"
        #expect(log.seen == [line])
        #expect(log.metadata(of: line) == [["limit": "10000", "family": "flood"]])
    }

    @Test func `a destroyed instrument is exposed no longer`() async throws {
        let counter = Counter(label: "hits", factory: registry)
        let timer = CoreMetrics.Timer(label: "times", factory: registry)
        Counter(label: "stays", factory: registry).increment()
        counter.destroy()
        timer.destroy()
        #expect(try await exposed().families.map(\.name) == ["stays_total"])
    }

    @Test func `concurrent records are all counted`() async throws {
        let counter = Counter(label: "hits", factory: registry)
        let timer = CoreMetrics.Timer(label: "times", factory: registry)
        let meter = Meter(label: "level", factory: registry)
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { @concurrent in
                    for _ in 0..<10_000 {
                        counter.increment()
                        timer.recordSeconds(1)
                        meter.increment(by: 1)
                    }
                }
            }
        }
        let exposed = try await exposed()
        #expect(exposed.value("hits_total") == 80_000)
        #expect(exposed.value("times_count") == 80_000)
        #expect(exposed.value("times_sum") == 80_000)
        #expect(exposed.value("level") == 80_000)
    }

    @Test func `a scrape during records is consistent and never decreases`() async throws {
        let counter = Counter(label: "hits", factory: registry)
        let timer = CoreMetrics.Timer(label: "times", factory: registry)
        await withThrowingTaskGroup { group in
            for thread in 0..<4 {
                group.addTask { @concurrent [registry] in
                    for number in 0..<5_000 {
                        counter.increment()
                        timer.recordSeconds(Double(number % 20))
                        Counter(label: "news", dimensions: [("of", "\(thread)")], factory: registry).increment()
                    }
                }
            }
            group.addTask { @concurrent [self] in
                var (hits, times) = (0.0, 0.0)
                for _ in 0..<200 {
                    let exposed = try await exposed()
                    let read = (exposed.value("hits_total") ?? 0, exposed.value("times_count") ?? 0)
                    #expect(read.0 >= hits && read.1 >= times)
                    (hits, times) = read
                }
            }
        }
        #expect(try await exposed().value("times_count") == 20_000)
    }

    @Test func `a collector's value replaces a recorded one of its name`() async throws {
        struct Known: MetricsCollector {
            func families() async -> [MetricFamily] { [MetricFamily(.processThreads, [MetricSeries([:], .count(3))])] }
        }
        Gauge(label: "process_threads", factory: registry).record(99)
        CoreMetrics.Timer(label: "process", factory: registry).recordSeconds(1)
        registry.add(Known())
        #expect(try await exposed().value("process_threads") == 3)
    }
}
