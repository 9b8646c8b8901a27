import Testing
import Tracing

@testable import Service

struct TelemetryConfigurationTests {
    private static func section(_ otlp: String) -> String {
        makeConfiguration("telemetry: { otlp: { endpoint: \"https://collector:4318\", \(otlp) } }")
    }

    private func loaded(_ otlp: String) throws -> TelemetryConfiguration? {
        try ServiceSettings.loaded(Self.section(otlp)).service.telemetry
    }

    @Test func `an endpoint is enough, and nothing is sent without one`() throws {
        let telemetry = try #require(try loaded("metrics: true"))
        #expect(telemetry.rules == TraceRules(TraceSampling(0.01), parent: .trusted, recordsFailures: true))
        #expect(telemetry.exportsMetrics && !telemetry.exportsLogs)
        #expect(try ServiceSettings.loaded(makeConfiguration("")).service.telemetry == nil)
        #expect(try ServiceSettings.loaded(makeConfiguration("telemetry: {}")).service.telemetry == nil)
    }

    @Test func `traces, metrics and logs are chosen apart`() throws {
        let telemetry = try #require(
            try loaded("traces: { sample: 1, parent: ignore, errors: sampled }, metrics: false, logs: true"))
        #expect(telemetry.rules == TraceRules(TraceSampling(1), parent: .ignore, recordsFailures: false))
        #expect(!telemetry.exportsMetrics && telemetry.exportsLogs)
        #expect(problems(Self.section("traces: off, metrics: false, logs: true")) == [])
        #expect(try loaded("traces: off")?.rules == nil)
        #expect(
            problems(Self.section("traces: off, metrics: false"))
                == ["c.yaml:1:80: warning: no traces, metrics or logs are sent to \"endpoint\""])
    }

    @Test(arguments: [
        ("traces: { sample: 2 }", "\"sample\": bad ratio \"2\""),
        ("traces: { sampel: 0.1 }", "unknown key \"sampel\" in \"telemetry.otlp.traces\"; did you mean \"sample\"?"),
        ("traces: { errors: never }", "\"errors\": expected always or sampled, found \"never\""),
        ("traces: on", "\"traces\": expected off or mapping, found "),
        ("metrics: some", "\"metrics\": "),
        ("headers: { \"a b\": c }", "the header \"a b\" cannot be sent"),
        ("traces: { parent: none }", "\"parent\": expected honour, trusted or ignore, found \"none\""),
        ("logs: some", "\"logs\": "),
        ("log: true", "unknown key \"log\" in \"telemetry.otlp\"; did you mean \"logs\"?"),
        ("tls: { certificate: /x }", "\"certificate\" and \"key\" belong together"),
        ("no_proxy: [a]", "without \"proxy\" every host is reached without one"),
    ])
    func `a mistake is named at its place`(otlp: String, message: String) {
        let problems = problems(Self.section(otlp))
        #expect(problems.contains { $0.hasPrefix("c.yaml:1:") && $0.contains(message) }, "\(problems)")
    }

    @Test(arguments: [
        ("{ otlp: { metrics: true } }", "missing \"endpoint\" in \"telemetry.otlp\""),
        ("{ otlp: { endpoint: collector } }", "\"endpoint\": bad url \"collector\""),
        ("{ otlp: { endpoint: \"http://c:4318/?a=b\" } }", "\"endpoint\" has a query or fragment"),
        ("{ otlp: { endpoint: \"http://u:p@c:4318\" } }", "give them by \"headers\" instead"),
        ("{ otpl: { endpoint: \"http://c\" } }", "unknown key \"otpl\" in \"telemetry\"; did you mean \"otlp\"?"),
    ])
    func `a mistake of the endpoint is named`(section: String, message: String) {
        let problems = problems(makeConfiguration("telemetry: \(section)"))
        #expect(problems.contains { $0.hasPrefix("c.yaml:1:") && $0.contains(message) }, "\(problems)")
    }
}
