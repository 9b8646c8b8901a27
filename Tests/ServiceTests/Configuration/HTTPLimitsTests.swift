import HTTPServer
import TestSupport
import Testing

@testable import Service

@Suite struct HTTPLimitsTests {
    private func options(_ limits: String = "") throws -> HTTPServerOptions {
        HTTPServerOptions(try ServiceSettings.loaded(makeConfiguration("http: { limits: { \(limits) } }")).service.http)
    }

    @Test func `defaults are the server's own, and probes are always served`() throws {
        var expected = HTTPServerOptions()
        expected.alwaysServedPaths = ["/livez", "/readyz", "/healthz"]
        expected.methods = [.get, .head, .options]
        #expect(try options() == expected)
    }

    @Test func `each value reaches the server`() throws {
        let options = try options(
            """
            connections: 11, per_address: 10, outstanding: 12, event_streams: 17, request_bytes: 1MiB, target_bytes: 1KiB,
              header_bytes: 2KiB, headers: 13, header_deadline: 14s, idle_timeout: 15s, write_timeout: 16s
            """)
        #expect(options.maximumConnections == 11)
        #expect(options.maximumConnectionsPerAddress == 10)
        #expect(options.maximumOutstanding == 12)
        #expect(options.maximumStreams == 17)
        #expect(options.maximumRequestBytes == 1 << 20)
        #expect(options.maximumTargetBytes == 1024)
        #expect(options.maximumHeadBytes == 2048)
        #expect(options.maximumHeaderFields == 13)
        #expect(options.headDeadline == .seconds(14))
        #expect(options.idleTimeout == .seconds(15))
        #expect(options.writeTimeout == .seconds(16))
    }

    @Test func `the operators' port has the limits of heads and always room for some connections`() throws {
        let operators = try options("connections: 0, per_address: 1, outstanding: 1, headers: 13").forOperators
        #expect(operators.maximumHeaderFields == 13)
        #expect(operators.alwaysServedPaths.contains("/livez"))
        #expect(operators.maximumConnections == 256)
        #expect(operators.maximumConnectionsPerAddress == 0)
        #expect(operators.maximumOutstanding == 64)
    }

    @Test(arguments: [
        ("headers: 0", "\"headers\": \"0\" is out of range; it must be from 1 to 10000"),
        ("connections: -1", "\"connections\": \"-1\" is out of range; it must be from 0 to 1000000"),
        ("per_address: few", "\"per_address\": expected integer, found \"few\""),
        ("outstanding: 1000001", "\"outstanding\": \"1000001\" is out of range; it must be from 0 to 1000000"),
        ("event_streams: -1", "\"event_streams\": \"-1\" is out of range; it must be from 0 to 1000000"),
        ("request_bytes: 1KiB", "\"request_bytes\": \"1KiB\" is out of range; it must be from 64KiB to 1GiB"),
        ("target_bytes: 0", "\"target_bytes\": \"0\" is out of range; it must be from 64 to 1MiB"),
        ("header_bytes: 1GiB", "\"header_bytes\": \"1GiB\" is out of range; it must be from 256 to 1MiB"),
        ("header_deadline: 0", "\"header_deadline\": \"0\" is out of range; it must be from 100ms to 1d"),
        ("idle_timeout: 0s", "\"idle_timeout\": \"0s\" is out of range; it must be from 100ms to 1d"),
        ("write_timeout: 2d", "\"write_timeout\": \"2d\" is out of range; it must be from 100ms to 1d"),
    ])
    func `a number out of range is one line with the range`(limit: String, message: String) {
        let column = 19 + limit.prefix { $0 != " " }.count + 1
        #expect(
            problems(makeConfiguration("http: { limits: { \(limit) } }")) == ["c.yaml:1:\(column): error: \(message)"])
    }

    @Test(arguments: [
        ("target_bytes: 4KiB, header_bytes: 4KiB", 33, "header_bytes 4KiB", "target_bytes 4KiB"),
        ("target_bytes: 32KiB", 33, "header_bytes 16KiB", "target_bytes 32KiB"),
        ("header_bytes: 1KiB", 33, "header_bytes 1KiB", "target_bytes 8KiB"),
    ])
    func `contradicting limits are one line that names both`(limits: String, column: Int, head: String, target: String)
    {
        #expect(
            problems(makeConfiguration("http: { limits: { \(limits) } }")) == [
                """
                c.yaml:1:\(column): error: \(head) counts path and query too and leaves no room beside \(target); \
                make "header_bytes" the larger one
                """
            ])
    }

    @Test func `per_address may be any number where connections are unlimited`() {
        #expect(problems(makeConfiguration("http: { limits: { connections: 0, per_address: 6 } }")) == [])
    }

    @Test(arguments: [(10_000, 1024.0, true), (924, 1024, false), (925, 1024, true), (0, 1024, false), (1, nil, false)])
    func `connections beyond the limit of open files are a warning`(connections: Int, openFiles: Double?, isTold: Bool)
        throws
    {
        let log = LogRecorder()
        let configuration = try ServiceSettings.loaded(
            makeConfiguration("http: { limits: { connections: \(connections), per_address: 0 } }"))
        configuration.service.http.limits.check(openFiles: openFiles, log.logger)
        let line = "warning: http.limits.connections does not fit in the limit of open files"
        #expect(log.seen == (isTold ? [line] : []))
        #expect(log.metadata(of: line).allSatisfy { $0["needed"] == "\(connections + 100)" })
    }
}
