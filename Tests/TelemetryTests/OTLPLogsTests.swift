import JSON
import Logging
import Networking
import TestSupport
import Testing
import Text

@testable import Telemetry
@testable import Tracing

@Suite(.timeLimit(.minutes(1)))
struct OTLPLogsTests {
    @Test func `a line is exported with its level, its metadata and the span that is under way`() async throws {
        try await Stand.with(logs: true) { stand in
            var logger = stand.exporter.exporting(stand.log.logger)
            logger[metadataKey: "part"] = "gate"
            let (trace, other) = (String(repeating: "a", count: 32), String(repeating: "b", count: 32))
            let span = Tracer(to: stand.exporter).begin("work", .internal, in: TraceContext(traceID: trace))
            Span.$current.withValue(span) {
                logger.warning("late", metadata: ["n": .stringConvertible(3), "trace_id": "\(other)"])
            }
            logger.notice("traced", metadata: ["trace_id": "\(other)"])
            logger.info("plain")
            await stand.exporter.close(within: .seconds(5))
            #expect(stand.log.seen == ["warning: late", "notice: traced", "info: plain"])
            let lines = stand.collector.logs
            #expect(lines.map { $0["body"]?.object?["stringValue"]?.string } == ["late", "traced", "plain"])
            #expect(lines.map { $0["severityText"]?.string } == ["warning", "notice", "info"])
            #expect(lines.map { $0["severityNumber"]?.number?.integer } == [13, 10, 9])
            #expect(lines.map { $0["traceId"]?.string } == [trace, other, nil])
            #expect(lines.map { $0["spanId"]?.string } == [span.id.hexDigits, nil, nil])
            #expect(lines.map(\.attributes).first == ["part": "gate", "n": "3", "trace_id": other])
            #expect(lines.allSatisfy { $0["timeUnixNano"]?.string.flatMap { Int64($0) } != nil })
            #expect(stand.collector.requests.map(\.signal) == ["logs"])
            let taken = try await stand.taken("larder_telemetry_log_records_total")
            #expect(taken == 3)
        }
    }

    @Test(arguments: [true, false])
    func `lines before the first config wait until it says whether they are sent`(logs: Bool) async throws {
        let stand = Stand()
        defer { stand.collector.stop() }
        try await withClient { client in
            let logger = stand.exporter.exporting(stand.log.logger)
            logger.info("early")
            stand.send(client, logs: logs)
            stand.exporter.run()
            logger.info("late")
            await stand.exporter.close(within: .seconds(5))
            let bodies = stand.collector.logs.map { $0["body"]?.object?["stringValue"]?.string }
            #expect(bodies == (logs ? ["early", "late"] : []))
            #expect(stand.log.seen == ["info: early", "info: late"])
        }
    }

    @Test func `the exporter's own lines are not exported, so a collector that fails is left alone in the end`()
        async throws
    {
        try await Stand.with(logs: true) { stand in
            let logger = stand.exporter.exporting(stand.log.logger)
            stand.collector.answer = .init(503)
            for _ in 0..<512 { logger.info("line") }
            await stand.letTimePass { stand.collector.requests.count == 5 }
            try await eventually { try await stand.dropped("undelivered", "logs") == 512 }
            for _ in 0..<600 { stand.clock.advance(by: .seconds(1)) }
            #expect(stand.log.count(of: "warning: telemetry cannot be delivered") == 1)
            #expect(stand.collector.requests.count == 5)
        }
    }

    @Test func `lines that do not fit are dropped and counted, and said`() async throws {
        try await Stand.with(logs: true) { stand in
            let logger = stand.exporter.exporting(stand.log.logger)
            stand.collector.answer = .init(503)
            for _ in 0..<3000 { logger.info("line") }
            let lost = try await stand.dropped("queue_full", "logs") ?? 0
            #expect(lost >= 440)
            await stand.letTimePass { stand.log.count(of: "warning: log records are dropped") == 1 }
            #expect(try await stand.dropped("queue_full") == 0)
        }
    }
}
