import Networking
import TestSupport
import Testing

@testable import Service

/// A thousand clients of a running service, all of which have an answer already, and an upstream that answers when the
/// test wants it to.
struct RushHour {
    static let count = 1000

    let stand: Stand
    let upstream: GatedUpstream
    let crowd: ClientCrowd

    /// Runs a test with everybody there and served the first edition, and has everybody leave.
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

    /// Has everybody ask, and expects that all are answered with this edition.
    func expectAll(edition: Int, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        await crowd.sendAll("/products")
        try await expectAnswers(edition: edition, sourceLocation: sourceLocation)
    }

    /// Expects that who has asked is answered with this edition.
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
