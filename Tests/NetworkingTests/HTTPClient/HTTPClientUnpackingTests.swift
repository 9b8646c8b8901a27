internal import Concurrency
internal import EventLoop
internal import Glibc
internal import TestSupport
internal import Testing

@testable internal import Networking

@Suite(.timeLimit(.minutes(2)))
struct HTTPClientUnpackingTests {
    @Test(arguments: ["gzip", "X-GZip", "identity, gzip"])
    func `gzip, in several members too`(coding: String) async throws {
        let pieces: [[UInt8]] = (1...3).map { piece in
            (0..<60_000).map { UInt8(truncatingIfNeeded: $0 &* piece ^ $0 >> 8) }
        }
        let packed = pieces.flatMap(Gzip.stored)
        let response = try await response { $0.respond(headers: "Content-Encoding: \(coding)\r\n", body: packed) }
        #expect(response.body == pieces.flatMap(\.self))
    }

    @Test(arguments: [1, 600])
    func `zeros behind a gzip are ignored`(zeros: Int) async throws {
        let packed = Gzip.stored([1, 2, 3]) + [UInt8](repeating: 0, count: zeros)
        let response = try await response { $0.respond(headers: "Content-Encoding: gzip\r\n", body: packed) }
        #expect(response.body == [1, 2, 3])
    }

    @Test(arguments: ["", "Content-Encoding: gzip\r\n"])
    func `a packed file is unpacked, with a coding of its own or without`(header: String) async throws {
        let file = Gzip.stored([1, 2, 3])
        let body = header.isEmpty ? file : Gzip.stored(file)
        #expect(try await response { $0.respond(headers: header, body: body) }.body == [1, 2, 3])
    }

    @Test(arguments: ["gzip", "br"])
    func `an error keeps its status and headers, whatever its body is packed in`(coding: String) async throws {
        let response = try await response {
            $0.respond(
                status: "503 Service Unavailable", headers: "Content-Encoding: \(coding)\r\nRetry-After: 7\r\n",
                body: "damaged")
        }
        #expect(response.status == 503)
        #expect(response.headers["Retry-After"] == "7")
    }

    @Test(arguments: [0, 1])
    func `a body is as large as the limit when unpacked, and no larger`(excess: Int) async throws {
        let bomb = Gzip.zeros(1_000_000)
        let size = 1 + 1_000_000 / 258 * 258
        let script = answering { $0.respond(headers: "Content-Encoding: gzip\r\n", body: bomb) }
        try await withClient(against: script) { client, upstream async throws in
            var request = HTTPClientRequest(url: upstream.url, limits: wide)
            request.limits.body = size - excess
            // The bomb ends without its checksum, which is missed only where its bytes all fit.
            #expect(try await errorToken(client, request) == (excess == 0 ? "truncated" : "body-too-large"))
        }
    }

    @Test(arguments: ["200 OK", "304 Not Modified"])
    func `a response without a body may say that it is packed`(status: String) async throws {
        let response = try await response { $0.respond(status: status, headers: "Content-Encoding: gzip\r\n") }
        #expect(response.body == [])
    }

    @Test func `a configured Accept-Encoding takes the place of gzip`() async throws {
        try await withClient(against: answering { $0.respond() }) { client, upstream in
            _ = try await client.get(upstream.url, headers: [HTTPHeader("accept-encoding", "identity")])
            let head = try #require(upstream.requestHeads.first).lowercased()
            #expect(head.contains("accept-encoding: identity\r\n"))
            #expect(!head.contains("gzip"))
        }
    }

    @Test func `the loop's thread does not unpack`() async throws {
        let bomb = Gzip.zeros(60_000_000)
        let upstream = ScriptedUpstream(answering { $0.respond(headers: "Content-Encoding: gzip\r\n", body: bomb) })
        defer { upstream.stop() }
        let group = try EventLoopGroup(count: 1)
        let client = HTTPClient(loops: group.loops, userAgent: UserAgent(version: "1"))
        let limits = HTTPClientLimits(connectTimeout: .seconds(20), timeout: .seconds(60), body: 1 << 30)
        let spent = try await Task(executorPreference: group.loops[0]) {
            let before = Self.threadTime()
            let token = try await errorToken(client, HTTPClientRequest(url: upstream.url, limits: limits))
            #expect(token == "truncated")
            return Self.threadTime() - before
        }.value
        #expect(spent < .milliseconds(30))
        await client.shutdown()
        await group.shutdown()
    }

    /// How much CPU time the calling thread has used.
    private static func threadTime() -> Duration {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
