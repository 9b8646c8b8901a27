internal import Products
internal import TestSupport
internal import Testing

@testable internal import Providers

@Suite(.timeLimit(.minutes(1)))
struct MemoryLoggingTests {
    @Test("one line marks the beginning of a row of failures, however long it is, and one its end")
    func transitions() async throws {
        let fixture = MemoryFixture()
        try await fixture.warm()
        let failures: [ProductsFailure] = [
            .upstreamStatus(503, retryAfter: nil), MemoryFixture.refused, .refused(.empty(count: 0, minimum: 1)),
        ]
        fixture.pass(.seconds(31))
        for round in 0..<12 {
            fixture.upstream.fails(failures[round % failures.count])
            #expect(try await fixture.told().hasPrefix("Mug stale"))
            await fixture.refreshes(round + 2)
            fixture.pass(.seconds(30))
        }
        fixture.works("Cup")
        _ = try await fixture.told()
        await fixture.refreshes(14)
        #expect(fixture.upstream.calls == 14)
        #expect(
            fixture.log.seen == [
                "warning: upstream fails, serving the last good catalogue", "notice: upstream recovered",
            ])
        let lines = fixture.log.seenLines.map(\.metadata)
        #expect(lines.first?["provider"] == "memory")
        #expect(lines.first?["reason"] == "status-503")
        #expect(lines.first?["error"] == "upstream answered 503")
        #expect(lines.first?["age_seconds"] == "31")
        #expect(lines.first?["revision"] == makeCatalogue().revision)
        #expect(lines.last?["age_seconds"] == "0")
        #expect(lines.last?["revision"] == makeCatalogue("Cup").revision)
    }

    @Test("with nothing to serve the line says so")
    func nothing() async throws {
        let fixture = MemoryFixture()
        fixture.upstream.fails(MemoryFixture.refused)
        for round in 1...5 {
            #expect(try await fixture.memory.failure() != nil)
            await fixture.refreshes(round)
            fixture.pass(.seconds(30))
        }
        #expect(fixture.log.seen == ["warning: upstream fails, nothing to serve"])
        #expect(fixture.log.seenLines.first?.metadata["age_seconds"] == nil)
    }
}
