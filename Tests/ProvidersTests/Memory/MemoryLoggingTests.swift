internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing
internal import Tracing

@testable internal import Providers

@Suite(.timeLimit(.minutes(1)))
struct MemoryLoggingTests {
    @Test
    func `a row of failures is a line at its beginning, for each reason, when it shows, and at its end`()
        async throws
    {
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
                "warning: upstream fails, serving the last good catalogue",
                "warning: upstream still fails, for another reason",
                "warning: upstream still fails, the last good catalogue is stale", "notice: upstream recovered",
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

    @Test
    func `an upstream that flaps is one line for each end and each beginning, however many requests come between`()
        async throws
    {
        let fixture = MemoryFixture()
        try await fixture.warm()
        for round in 1...10 {
            fixture.upstream.fails(MemoryFixture.refused)
            try await pass(.seconds(31), in: fixture, refreshes: 2 * round)
            fixture.works()
            try await pass(.seconds(31), in: fixture, refreshes: 2 * round + 1)
        }
        let flap = ["warning: upstream fails, serving the last good catalogue", "notice: upstream recovered"]
        #expect(fixture.log.seen == Array(repeating: flap, count: 10).flatMap(\.self))
    }

    @Test
    func `an outage is one line at each step: offline, stale, too old, something to serve again, recovered`()
        async throws
    {
        let fixture = MemoryFixture()
        try await fixture.warm()
        fixture.upstream.fails(MemoryFixture.refused)
        try await pass(.seconds(31), in: fixture, refreshes: 2)
        try await pass(.seconds(59), in: fixture, refreshes: 3)
        try await pass(.seconds(31), in: fixture, refreshes: 4)
        try await pass(.seconds(400), in: fixture, refreshes: 5)
        try await pass(.seconds(400), in: fixture, refreshes: 6)
        try await pass(.seconds(31), in: fixture, refreshes: 7)
        fixture.fallsBack(to: makeSnapshot("Cup", fetchedAt: fixture.wall.now, origin: .store))
        try await pass(.seconds(31), in: fixture, refreshes: 8)
        fixture.works()
        try await pass(.seconds(31), in: fixture, refreshes: 9)
        #expect(
            fixture.log.seen == [
                "warning: upstream fails, serving the last good catalogue",
                "warning: upstream still fails, the last good catalogue is stale",
                "error: upstream still fails, the last good catalogue is too old to be served",
                "notice: upstream still fails, there is a catalogue to serve again", "notice: upstream recovered",
            ])
    }

    @Test func `an outage that begins when the catalogue is stale already is one line, which says so`() async throws {
        let fixture = MemoryFixture()
        try await fixture.warm()
        fixture.upstream.fails(MemoryFixture.refused)
        try await pass(.seconds(91), in: fixture, refreshes: 2)
        #expect(fixture.log.seen == ["warning: upstream fails, the last good catalogue is stale"])
    }

    @Test func `a line that a request has caused says which; one of the service's own does not`() async throws {
        let fixture = MemoryFixture()
        fixture.upstream.fails(MemoryFixture.refused)
        let trace = TraceContext(parent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
        let cause = RequestIdentity(givenID: "mine", serial: (1, 2), trace: trace)
        await #expect(throws: ProductsFailure.self) {
            try await fixture.memory.ask(cause: cause)
        }
        await fixture.refreshes(1)
        fixture.pass(.seconds(31))
        fixture.works()
        _ = try await fixture.memory.ask()
        await fixture.refreshes(2)
        let lines = fixture.log.seenLines.map(\.metadata)
        #expect(lines.map { $0["request_id"] } == ["mine", nil])
        #expect(lines.map { $0["trace_id"] } == ["0af7651916cd43dd8448eb211c80319c", nil])
    }

    /// Lets time go by, and has many requests come, of which so many in all, from the first one on, refresh.
    private func pass(_ duration: Duration, in fixture: MemoryFixture, refreshes: Int) async throws {
        fixture.pass(duration)
        for _ in 0..<5 {
            _ = try? await fixture.memory.ask()
            await fixture.refreshes(refreshes)
        }
        #expect(fixture.upstream.calls == refreshes)
    }

    @Test func `with nothing to serve the line says so`() async throws {
        let fixture = MemoryFixture()
        fixture.upstream.fails(MemoryFixture.refused)
        for round in 1...5 {
            #expect(try await fixture.memory.failure() != nil)
            await fixture.refreshes(round)
            fixture.pass(.seconds(30))
        }
        #expect(fixture.log.seen == ["error: upstream fails, nothing to serve"])
        #expect(fixture.log.seenLines.first?.metadata["age_seconds"] == nil)
    }
}
