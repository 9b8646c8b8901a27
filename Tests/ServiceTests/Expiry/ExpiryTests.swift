import Networking
import TestSupport
import Testing

@Suite("The moment of expiry", .serialized, .timeLimit(.minutes(1)))
struct ExpiryTests {
    @Test("A thousand clients at once are one request to the upstream, and not one before freshness has ended")
    func oneRequest() async throws {
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

    @Test("With a stale copy nobody waits for the one request")
    func nobodyWaits() async throws {
        try await RushHour.with(staleWhileRevalidate: "20s") { rush in
            rush.upstream.gate.close()
            rush.stand.clock.advance(by: .milliseconds(10_001))
            try await rush.expectAll(edition: 1)
            await rush.upstream.wait(forRequests: 2)
            try await rush.expectAll(edition: 1)
            #expect(rush.upstream.requests == 2)

            rush.upstream.gate.open()
            try await eventually { try await rush.stand.get("/products").headers["Age"] == "0" }
            try await rush.expectAll(edition: 2)
            #expect(rush.upstream.requests == 2)
        }
    }

    @Test("Who causes the request and breaks off takes nothing from the others")
    func causeKilled() async throws {
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
