import Networking
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(1)))
struct ExpiryTests {
    @Test func `a thousand concurrent clients cause one request, and none before freshness ends`() async throws {
        try await RushHour.with(staleWhileRevalidate: "0s") { rush in
            rush.upstream.gate.close()
            rush.stand.clock.advance(by: .seconds(10))
            try await rush.expectAll(edition: 1)
            #expect(rush.upstream.requests == 1)

            rush.stand.clock.advance(by: .milliseconds(1))
            await rush.crowd.sendAll("/products")
            await rush.upstream.wait(forRequests: 2)
            try await rush.settle()
            rush.upstream.gate.open()
            try await rush.expectAnswers(edition: 2)
            try await rush.expectAll(edition: 2)
            #expect(rush.upstream.requests == 2)
        }
    }

    @Test func `with a stale copy no client waits for the refresh`() async throws {
        try await RushHour.with(staleWhileRevalidate: "20s") { rush in
            rush.upstream.gate.close()
            rush.stand.clock.advance(by: .milliseconds(10_001))
            try await rush.expectAll(edition: 1)
            await rush.upstream.wait(forRequests: 2)
            try await rush.expectAll(edition: 1)
            #expect(rush.upstream.requests == 2)

            rush.upstream.gate.open()
            try await eventually { try await rush.stand.get("/products").headers.catalogueAge == "0" }
            try await rush.expectAll(edition: 2)
            #expect(rush.upstream.requests == 2)
        }
    }

    @Test func `a client that causes the refresh and disconnects takes nothing from the others`() async throws {
        try await RushHour.with(staleWhileRevalidate: "0s") { rush in
            rush.upstream.gate.close()
            rush.stand.clock.advance(by: .milliseconds(10_001))
            await rush.crowd.send("/products", by: 0)
            await rush.upstream.wait(forRequests: 2)
            await rush.crowd.sendAll("/products", except: [0])
            try await rush.settle()
            rush.crowd.reset(0)
            try await rush.settle()

            rush.upstream.gate.open()
            try await rush.expectAnswers(edition: 2, except: [0])
            #expect(rush.upstream.requests == 2)
            #expect(rush.upstream.connections == 1)
        }
    }
}

/// A thousand clients of a running service, all of which have an answer already, and an upstream that answers when the
/// test wants it to.
struct RushHour {
    static let count = 1000

    let stand: Stand
    let upstream: GatedUpstream
    let crowd: ClientCrowd

    /// Runs a test with all clients connected and served the first edition.
    static func with(staleWhileRevalidate: String, _ body: (RushHour) async throws -> Void) async throws {
        let upstream = GatedUpstream()
        defer { upstream.close() }
        try await Stand.with {
            $0.upstream = upstream.address
            $0.isMonitored = false
            $0.ttl = "10s"
            $0.staleWhileRevalidate = staleWhileRevalidate
        } _: { stand in
            _ = try await stand.warm()
            let crowd = try await ClientCrowd(count: count, port: try stand.port())
            defer { crowd.leave() }
            let rush = RushHour(stand: stand, upstream: upstream, crowd: crowd)
            try await rush.expectAll(edition: 1)
            try await body(rush)
            // A refresh that hangs would hold the stop up.
            upstream.gate.open()
        }
    }

    /// Sends a request of every client, and expects this edition for all.
    func expectAll(edition: Int, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        await crowd.sendAll("/products")
        try await expectAnswers(edition: edition, sourceLocation: sourceLocation)
    }

    /// Expects this edition for every client that has asked.
    func expectAnswers(
        edition: Int, except absent: Set<Int> = [], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let answers = await crowd.answers(except: absent)
        let bodies = Set(answers.map { $0?.status == 200 ? $0?.body ?? [] : [] })
        #expect(answers.count == Self.count - absent.count, sourceLocation: sourceLocation)
        #expect(bodies.count == 1, sourceLocation: sourceLocation)
        let text = String(decoding: bodies.first ?? [], as: UTF8.self)
        #expect(text.contains(GatedUpstream.name(of: edition)), sourceLocation: sourceLocation)
    }

    /// Returns when the service has taken in whatever was sent to it before: its one loop reads in the order in which
    /// things arrive, and has answered what was sent last.
    func settle() async throws {
        #expect(try await stand.get("/livez").status == 200)
    }
}
