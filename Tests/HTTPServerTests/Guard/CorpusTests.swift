import HTTPServer
import TestSupport
import Testing

/// What the fuzzers start from, sent to a real server.
@Suite struct CorpusTests {
    static let inputs = FuzzedInput.corpus(of: "Guard")

    /// How many requests the fuzzers' second reader finds in an input before it ends or has to be refused; none in those
    /// that are not here.
    private static let requests = [
        "absolute": 1, "absolute_host": 1, "bytes": 1, "expect": 1, "fields": 1, "found_edge_43fc0a8c": 1,
        "found_edge_a651494b": 1, "found_edge_f5d6ee93": 1, "found_guard_01465b1f": 1, "found_guard_d407a65b": 1,
        "get": 1, "long": 1, "methods": 1, "old": 1, "options": 1, "pipeline": 2, "stream": 2, "stream_behind": 1,
        "stream_old": 1, "tab": 1,
    ]

    /// The statuses of all answers up to the end of the connection.
    private static func statuses(_ port: UInt16, _ pieces: [ArraySlice<UInt8>]) throws -> [Int] {
        let client = try RawClient(port: port)
        for piece in pieces {
            do {
                try client.send([UInt8](piece))
            } catch RawClient.Failure.failed {
                break
            }
            if pieces.count > 1 { try BlockingPause.oneMillisecond() }
        }
        client.finishSending()
        let isHead = pieces.joined().starts(with: "HEAD ".utf8)
        var statuses: [Int] = []
        do {
            while true { statuses.append(try client.receive(bodyless: isHead).status) }
        } catch RawClient.Failure.closed(let rest) {
            #expect(rest == 0)
            return statuses
        }
    }

    @Test func `there is a corpus`() {
        #expect(Self.inputs.count >= 20)
        #expect(Set(Self.requests.keys).isSubset(of: Self.inputs.map(\.name)))
    }

    @Test(arguments: inputs, Manner.allCases)
    func `serves the requests there are, refuses once behind them, however it is cut, and never by libevent`(
        _ input: FuzzedInput, in manner: Manner
    ) async throws {
        let handler = manner.handler { _ in HTTPResponse(status: .noContent) }
        try await withServer(options: manner.options, handler) { server, port in
            let (whole, halves, bytes) = try await onThread {
                let middle = input.bytes.count / 2
                return (
                    try Self.statuses(port, [input.bytes[...]]),
                    try Self.statuses(port, [input.bytes[..<middle], input.bytes[middle...]]),
                    try Self.statuses(port, input.bytes.indices.map { input.bytes[$0...$0] })
                )
            }
            let requests = Self.requests[input.name] ?? 0
            #expect(Array(whole.prefix(requests)) == Array(repeating: 204, count: requests))
            let refusals = whole.dropFirst(requests)
            #expect(refusals.count <= 1 && refusals.allSatisfy { $0 >= 400 })
            #expect(halves == whole)
            #expect(bytes == whole)
            let counts = await server.refusalCounts()
            #expect(counts[.unparsed] == nil && counts[.disagreement] == nil)
        }
    }
}
