import Health
import JSON
import Prometheus
import TestSupport
import Testing

@testable import Telemetry

@Suite(.timeLimit(.minutes(1)))
struct OTLPExporterTests {
    @Test func `spans wait five seconds for others, and are sent with the headers`() async throws {
        try await Stand.with { stand in
            stand.record(3)
            await stand.clock.waitForSleepers(1)
            #expect(stand.collector.requests.isEmpty)
            stand.clock.advance(by: .seconds(5))
            await stand.collector.wait(spans: 3)
            let request = stand.collector.requests[0]
            #expect(stand.collector.requests.count == 1)
            #expect(request.head.hasPrefix("POST /v1/traces HTTP/1.1\r\n"))
            #expect(request.head.contains("\r\nX-Key: k\r\n"))
            #expect(request.head.contains("\r\nContent-Type: application/json\r\n"))
        }
    }

    @Test func `a full batch is sent at once`() async throws {
        try await Stand.with { stand in
            stand.record(512)
            await stand.collector.wait(spans: 512)
            #expect(stand.collector.requests.map(\.items.count) == [512])
        }
    }

    @Test func `what does not fit is dropped and counted, and said`() async throws {
        try await Stand.with { stand in
            stand.collector.answer = .init(503)
            stand.record(3000)
            let lost = try await stand.dropped("queue_full") ?? 0
            #expect(lost >= 440)
            await stand.letTimePass { stand.log.count(of: "warning: spans are dropped") == 1 }
            #expect(stand.exporter.troubles.map(\.kind).contains(.telemetry))
            stand.collector.answer = .init()
            await stand.letTimePass { stand.exporter.troubles.isEmpty }
        }
    }

    @Test(arguments: [429, 502, 503, 504])
    func `a batch is sent again after the time that the collector names`(status: Int) async throws {
        try await Stand.with { stand in
            stand.collector.answer = .init(status, headers: "Retry-After: 7\r\n")
            stand.record(512)
            await stand.collector.wait(requests: 1)
            await stand.clock.waitForSleepers(2)
            stand.clock.advance(by: .milliseconds(6999))
            stand.collector.answer = .init()
            #expect(stand.collector.requests.count == 1)
            #expect(stand.exporter.troubles.map(\.cause) == ["\(status) from \(stand.collector.url)/v1/traces"])
            stand.clock.advance(by: .milliseconds(1))
            await stand.collector.wait(spans: 512)
            await stand.log.wait(lines: 2)
            #expect(stand.exporter.troubles.isEmpty)
            #expect(
                stand.log.seen == ["warning: telemetry cannot be delivered", "notice: telemetry is delivered again"])
            #expect(stand.collector.requests.count == 2)
        }
    }

    @Test func `after five tries a batch is dropped`() async throws {
        try await Stand.with { stand in
            stand.collector.answer = .init(503)
            stand.record(512)
            await stand.letTimePass { stand.collector.requests.count == 5 }
            try await eventually { try await stand.dropped("undelivered") == 512 }
            stand.clock.advance(by: .seconds(600))
            #expect(stand.collector.requests.count == 5)
            #expect(stand.log.count(of: "warning: telemetry cannot be delivered") == 1)
        }
    }

    @Test(arguments: [400, 401, 404, 413, 500, 301])
    func `a refused batch is not sent again`(status: Int) async throws {
        try await Stand.with { stand in
            stand.collector.answer = .init(status)
            stand.record(512)
            try await eventually { try await stand.dropped("refused") == 512 }
            #expect(stand.collector.requests.count == 1)
            #expect(stand.log.seen == ["warning: telemetry is refused"])
        }
    }

    @Test func `spans that the collector rejects are counted, and not sent again`() async throws {
        try await Stand.with { stand in
            stand.collector.answer = .init(
                body: #"{"partialSuccess":{"rejectedSpans":"12","errorMessage":"too old"}}"#)
            stand.record(512)
            try await eventually { try await stand.dropped("rejected") == 12 }
            #expect(try await stand.taken() == 500)
            #expect(stand.exporter.troubles.map(\.cause) == ["a part is rejected: too old"])
        }
    }

    @Test func `what waits is sent at the stop, also during a pause after a failure`() async throws {
        try await Stand.with { stand in
            stand.collector.answer = .init(503, headers: "Retry-After: 50\r\n")
            stand.record(512)
            await stand.collector.wait(requests: 1)
            await stand.clock.waitForSleepers(2)
            stand.record(5)
            stand.collector.answer = .init()
            await stand.exporter.close(within: .seconds(5))
            #expect(stand.collector.spans.count == 517)
            stand.record(1)
            #expect(stand.collector.spans.count == 517)
        }
    }

    @Test func `a stop does not wait for a collector that does not answer`() async throws {
        try await Stand.with { stand in
            stand.collector.isHanging = true
            stand.record(600)
            await stand.collector.wait(requests: 1)
            async let closed: Void = stand.exporter.close(within: .seconds(2))
            await stand.letTimePass(by: .milliseconds(100)) {
                stand.log.count(of: "warning: spans are lost, the collector has not taken them in time") == 1
                    || stand.clock.now.offset > .seconds(3600)
            }
            await closed
            let lost = try await stand.dropped("closed")
            #expect(lost == 600)
        }
    }

    @Test func `metrics are sent at once, each fifteen seconds and at the stop, with the values of the scrape`()
        async throws
    {
        try await Stand.with(metrics: true) { stand in
            await stand.collector.wait(requests: 1)
            await stand.clock.waitForSleepers(1)
            stand.clock.advance(by: .seconds(15))
            await stand.collector.wait(requests: 2)
            await stand.exporter.close(within: .seconds(5))
            #expect(stand.collector.requests.map(\.signal) == ["metrics", "metrics", "metrics"])
            let names = stand.collector.metrics.compactMap { $0["name"]?.string }
            #expect(names.filter { $0 == "larder_telemetry_exports_total" }.count == 3)
        }
    }

    @Test func `nothing is sent and no counters exist without a destination`() async throws {
        let stand = Stand()
        defer { stand.collector.stop() }
        stand.exporter.run()
        stand.record(512)
        await stand.exporter.close(within: .seconds(1))
        #expect(stand.collector.requests.isEmpty)
        #expect(await stand.registry.families().isEmpty)
    }
}
