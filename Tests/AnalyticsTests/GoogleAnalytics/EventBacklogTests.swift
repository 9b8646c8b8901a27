internal import TestSupport
internal import Testing

@testable internal import Analytics

@Suite(.timeLimit(.minutes(1)))
struct EventBacklogTests {
    /// What all backlogs have in common is asked of each of these.
    enum Kind: Sendable, CaseIterable {
        case memory, spooled
    }

    private let directory: TemporaryDirectory
    private let tally = AnalyticsTally()

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func makeBacklog(_ kind: Kind, portion: Int = 4) -> any EventBacklog {
        switch kind {
        case .memory: MemoryEventBacklog(capacity: 20, portion: portion, tally: tally)
        case .spooled:
            SpooledEventBacklog(
                directory: directory("spool"), limit: 1 << 20, segmentSize: 400, portion: portion, tally: tally)
        }
    }

    @Test("every event comes out once, in portions", arguments: Kind.allCases)
    func once(kind: Kind) async throws {
        let backlog = makeBacklog(kind)
        for event in makeGoogleEvents(0..<18) { _ = try await backlog.add([event]) }
        let portions = try await takeAll(backlog)
        #expect(portions.allSatisfy { (1...4).contains($0.count) })
        #expect(portions.count < 18)
        #expect(portions.flatMap(\.self).sorted() == (0..<18).map { "e\($0)" }.sorted())
        #expect(try await takeAll(backlog) == [])
        #expect(tally.dropped == [:])
    }

    @Test("what could not be delivered stays, and only that", arguments: Kind.allCases)
    func rest(kind: Kind) async throws {
        let backlog = makeBacklog(kind)
        _ = try await backlog.add(makeGoogleEvents(0..<4))
        let isFound = try await backlog.withOldestEvents(since: 0) { Array($0.dropFirst()) }
        #expect(isFound)
        let kept = try await backlog.withOldestEvents(since: 0) { $0 }
        #expect(kept)
        #expect(try await takeAll(backlog).flatMap(\.self) == ["e1", "e2", "e3"])
    }

    @Test("what is added meanwhile is not lost", arguments: Kind.allCases)
    func meanwhile(kind: Kind) async throws {
        let backlog = makeBacklog(kind)
        _ = try await backlog.add(makeGoogleEvents(0..<2))
        let more = makeGoogleEvents(2..<4)
        _ = try await backlog.withOldestEvents(since: 0) { events in
            _ = try? await backlog.add(more)
            return Array(events.suffix(1))
        }
        #expect(try await takeAll(backlog).flatMap(\.self).sorted() == ["e1", "e2", "e3"])
    }

    @Test("what is too old is counted and not handed out", arguments: Kind.allCases)
    func expiry(kind: Kind) async throws {
        let backlog = makeBacklog(kind)
        let wallClock = ManualWallClock()
        let old = try #require(GoogleAnalyticsEvent(makeEvent("old", at: wallClock.now), clientID: "c"))
        wallClock.advance(by: .seconds(1))
        let young = try #require(GoogleAnalyticsEvent(makeEvent("young", at: wallClock.now), clientID: "c"))
        _ = try await backlog.add([old, young, old])
        #expect(try await takeAll(backlog, since: young.timestamp) == [["young"]])
        #expect(tally.dropped == [.expired: 2])
    }

    @Test("the oldest come first", arguments: Kind.allCases)
    func order(kind: Kind) async throws {
        let backlog = makeBacklog(kind, portion: 6)
        for event in makeGoogleEvents(0..<10) { _ = try await backlog.add([event]) }
        #expect(try await takeAll(backlog).flatMap(\.self) == (0..<10).map { "e\($0)" })
    }

    @Test("what fails again and again goes behind the others, and is tried again after them", arguments: Kind.allCases)
    func repeatedFailures(kind: Kind) async throws {
        let backlog = makeBacklog(kind)
        for event in makeGoogleEvents(0..<12) { _ = try await backlog.add([event]) }
        let seen = Observed<[String]>([])
        let bad = (0..<4).map { "e\($0)" }
        for _ in 0..<40 {
            _ = try await backlog.withOldestEvents(since: 0) { events in
                seen.update { $0 += events.map(\.name) }
                return events.filter { bad.contains($0.name) }
            }
        }
        #expect(Set(seen.value) == Set((0..<12).map { "e\($0)" }))
        #expect(seen.value.last.map(bad.contains) == true)
        #expect(try await takeAll(backlog).flatMap(\.self).sorted() == bad)
        #expect(tally.dropped == [:])
    }

    @Test("there is room for so many")
    func full() async throws {
        let memory = makeBacklog(.memory)
        _ = try await memory.add(makeGoogleEvents(0..<15))
        _ = try await memory.add(makeGoogleEvents(15..<30))
        #expect(tally.dropped == [.backlogFull: 10])
        await memory.close()
        #expect(tally.dropped == [.backlogFull: 10, .closed: 20])
    }

    @Test("there is room for so many bytes, again after some have been delivered")
    func fullOfBytes() async throws {
        let events = makeGoogleEvents(0..<4)
        let size = events.prefix(2).reduce(0) { $0 + $1.size }
        let memory = MemoryEventBacklog(capacity: 20, limit: size, portion: 4, tally: tally)
        _ = await memory.add(events)
        #expect(tally.dropped == [.backlogFull: 2])
        _ = try await memory.withOldestEvents(since: 0) { Array($0.prefix(1)) }
        _ = await memory.add(events)
        #expect(tally.dropped == [.backlogFull: 5])
        #expect(try await takeAll(memory) == [["e0", "e0"]])
    }

    @Test("what failed too often is told apart, and is so until it is gone", arguments: Kind.allCases)
    func suspects(kind: Kind) async throws {
        let backlog = makeBacklog(kind)
        _ = try await backlog.add(makeGoogleEvents(0..<2))
        for _ in 0..<5 {
            #expect(try await backlog.withOldest(since: 0) { $0.events } == .kept(isSuspect: false))
        }
        for _ in 0..<2 {
            #expect(try await backlog.withOldest(since: 0) { $0.events } == .kept(isSuspect: true))
        }
        #expect(try await backlog.withOldest(since: 0) { $0.isSuspect ? [] : $0.events } == .delivered)
        _ = try await backlog.add(makeGoogleEvents(2..<3))
        #expect(try await backlog.withOldest(since: 0) { $0.events } == .kept(isSuspect: false))
    }

    @Test("it is told how many bytes wait", arguments: Kind.allCases)
    func size(kind: Kind) async throws {
        let backlog = makeBacklog(kind)
        #expect(backlog.size == 0)
        _ = try await backlog.add(makeGoogleEvents(0..<2))
        let size = backlog.size
        #expect(size >= makeGoogleEvents(0..<2).reduce(0) { $0 + $1.json.count })
        _ = try await backlog.withOldestEvents(since: 0) { Array($0.prefix(1)) }
        #expect(backlog.size == size / 2)
        _ = try await takeAll(backlog)
        #expect(backlog.size == 0)
    }

    @Test("what comes when memory is closed is lost by that")
    func closedMemory() async throws {
        let memory = makeBacklog(.memory)
        _ = try await memory.add(makeGoogleEvents(0..<6))
        _ = try await memory.withOldestEvents(since: 0) { events in
            await memory.close()
            return events
        }
        #expect(tally.dropped == [.closed: 6])
        #expect(try await memory.add(makeGoogleEvents(0..<1)))
        #expect(tally.dropped == [.closed: 7])
        #expect(memory.size == 0)
    }
}
