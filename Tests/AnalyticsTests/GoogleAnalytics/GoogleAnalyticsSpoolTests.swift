internal import FileSystem
internal import FoundationEssentials
internal import JSON
internal import TestSupport
internal import Testing

@testable internal import Analytics

@Suite(.timeLimit(.minutes(1)))
struct GoogleAnalyticsSpoolTests {
    @Test
    func `what could not be sent is sent by the process after, once, under its own time and client`() async throws {
        try await GoogleAnalyticsStand.with { stand in
            stand.google.mood = .answering(status: 503)
            let before = try await stand.process(spooled: true) { sink in
                for event in 0..<60 {
                    let subject = event % 2 == 0 ? "ab12" : "cd34"
                    sink.log(makeEvent("shown", subject: subject))
                }
                await stand.clock.waitForSleepers()
                await stand.drained(sink)
            }
            #expect(before == AnalyticsStatistics(queued: 0, sent: [:], dropped: [:]))
            stand.google.mood = .well
            stand.wallClock.advance(by: .seconds(71 * 3600))
            let after = try await stand.process(spooled: true) { _ in await stand.google.wait(events: 60) }
            #expect(after.sent == ["shown": 60])
            #expect(Set(stand.google.requests.compactMap(\.clientID)) == ["ab12", "cd34"])
            let times = stand.google.requests.flatMap(\.events).map { $0["timestamp_micros"]?.number?.integer }
            #expect(Set(times) == [1_769_860_800_000_000])
            #expect(try stand.spooled() == "")
            _ = try await stand.process(spooled: true) { _ in }
            #expect(stand.google.names.count == 60)
        }
    }

    @Test func `a sink that is made and not used leaves alone what waits`() async throws {
        try await GoogleAnalyticsStand.with { stand in
            stand.google.mood = .answering(status: 503)
            _ = try await stand.process(spooled: true) { sink in
                sink.log(makeEvent("shown"))
                await stand.clock.waitForSleepers()
            }
            let (asked, waiting) = (stand.google.asked, try stand.spooled())
            stand.google.mood = .well
            // It still sends its own events.
            let own = try await stand.process(spooled: true, isUsed: false) { sink in
                sink.log(makeEvent("own"))
                await stand.google.wait(events: 1)
            }
            #expect(own.sent == ["own": 1])
            #expect(stand.google.asked == asked + 1)
            #expect(try stand.spooled() == waiting)
        }
    }

    @Test func `a spool that another process uses is told of, and worked off when that is gone`() async throws {
        try await GoogleAnalyticsStand.with { stand in
            let folder = "\(stand.spool)/G-TEST1"
            let other = EventSpool(directory: folder, limit: 1 << 20)
            #expect(try await other.add(makeGoogleEvents(0..<3)) == 0)
            let statistics = try await stand.process(spooled: true) { sink in
                await stand.log.wait(lines: 1)
                stand.google.mood = .answering(status: 503)
                sink.log(makeEvent("late"))
                await stand.log.wait(lines: 2)
                await stand.clock.waitForSleepers(2)
                stand.google.mood = .well
                stand.clock.advance(by: .seconds(1))
                await stand.log.wait(lines: 3)
                await other.close()
                stand.clock.advance(by: .seconds(60))
                await stand.google.wait(events: 4)
                await stand.log.wait(lines: 4)
            }
            #expect(statistics.sent == ["late": 1, "e0": 1, "e1": 1, "e2": 1])
            #expect(
                stand.log.seen == [
                    "warning: undelivered analytics cannot be read and wait",
                    "warning: analytics cannot be delivered and wait", "notice: analytics are delivered again",
                    "notice: undelivered analytics can be read again",
                ])
            #expect(
                stand.log.seenLines.first?.metadata == [
                    "sink": "s", "error": "\(folder) is in use by another process or sink",
                ])
        }
    }

    @Test func `what waited for 72 hours is given up and counted, and what is younger is sent`() async throws {
        try await GoogleAnalyticsStand.with { stand in
            stand.google.mood = .answering(status: 503)
            _ = try await stand.process(spooled: true) { sink in
                for _ in 0..<3 { sink.log(makeEvent("old", at: stand.wallClock.now)) }
                await stand.clock.waitForSleepers()
                await stand.drained(sink)
                stand.wallClock.advance(by: .seconds(2))
                sink.log(makeEvent("young", at: stand.wallClock.now))
                await stand.drained(sink)
            }
            stand.google.mood = .well
            stand.wallClock.advance(by: .seconds(72 * 3600 - 1))
            let after = try await stand.process(spooled: true) { _ in await stand.google.wait(events: 1) }
            #expect(after == AnalyticsStatistics(queued: 0, sent: ["young": 1], dropped: [.expired: 3]))
        }
    }

    @Test
    func `an endpoint that hangs does not hold up the end; what it was asked, and all that waits, goes to the spool`()
        async throws
    {
        try await GoogleAnalyticsStand.with { stand in
            stand.google.mood = .hanging
            let before = try await stand.process(spooled: true) { sink in
                sink.log(makeEvent("asked"))
                await stand.google.wait(asked: 1)
                for _ in 0..<40 { sink.log(makeEvent("waits")) }
                stand.ringWhileClosing()
            }
            #expect(before == AnalyticsStatistics(queued: 0, sent: [:], dropped: [:]))
            stand.google.mood = .well
            let after = try await stand.process(spooled: true) { _ in await stand.google.wait(events: 41) }
            #expect(after.sent == ["asked": 1, "waits": 40])
        }
    }

    @Test
    func `an endpoint that hangs costs who logs nothing; the queue is bounded, and what it held is not lost`()
        async throws
    {
        try await GoogleAnalyticsStand.with { stand in
            stand.google.mood = .hanging
            let before = try await stand.process(spooled: true) { sink in
                sink.log(makeEvent("asked"))
                await stand.google.wait(asked: 1)
                for _ in 0..<10_007 { sink.log(makeEvent("waits")) }
                #expect(sink.statistics == AnalyticsStatistics(queued: 10_000, sent: [:], dropped: [.queueFull: 7]))
                stand.ringWhileClosing()
            }
            #expect(before.dropped == [.queueFull: 7])
            stand.google.mood = .well
            let after = try await stand.process(spooled: true) { _ in await stand.google.wait(events: 10_001) }
            #expect(after.sent == ["asked": 1, "waits": 10_000])
            #expect(try stand.spooled() == "")
        }
    }

    @Test
    func `a spool that cannot be written costs the events that wait, is said once, and nothing more`() async throws {
        try await GoogleAnalyticsStand.with { stand in
            try Files.create(stand.spool, [])
            stand.google.mood = .answering(status: 503)
            let statistics = try await stand.process(spooled: true) { sink in
                for round in 1...3 {
                    sink.log(makeEvent("lost"))
                    await stand.lost(sink, round)
                }
                await stand.clock.waitForSleepers()
                stand.google.mood = .well
                stand.clock.advance(by: .seconds(1))
                // With nothing that waits, new events are the next try.
                await yieldUntil {
                    sink.log(makeEvent("shown"))
                    await stand.drained(sink)
                    return !sink.statistics.sent.isEmpty
                }
            }
            #expect((statistics.dropped[.writeFailed] ?? 0) >= 3)
            #expect((statistics.sent["shown"] ?? 0) >= 1)
            #expect(stand.log.seen.count { $0.hasPrefix("warning: undelivered analytics cannot be kept") } == 1)
        }
    }

    @Test func `a spool that is full takes no more, and counts`() async throws {
        try await GoogleAnalyticsStand.with { stand in
            stand.google.mood = .answering(status: 503)
            let long = String(repeating: "x", count: 100)
            let parameters = JSONObject((0..<25).map { ("p\($0)", JSONValue.string(long)) })
            let statistics = try await stand.process(spooled: true, spoolSize: 1 << 20) { sink in
                for _ in 0..<50 {
                    for _ in 0..<20 { sink.log(makeEvent("shown", parameters: parameters)) }
                    await stand.drained(sink)
                }
                await stand.clock.waitForSleepers()
            }
            let lost = statistics.dropped[.backlogFull] ?? 0
            #expect((300...900).contains(lost))
            #expect(statistics.dropped == [.backlogFull: lost])
            #expect(try stand.spooled().utf8.count <= 1 << 20)
            #expect(stand.log.seen.count { $0.hasPrefix("warning: backlog of undelivered analytics is full") } == 1)
        }
    }

    @Test(arguments: [true, false])
    func `the secret is in no log, no file of the spool and no statistics`(isThere: Bool) async throws {
        try await GoogleAnalyticsStand.with { stand in
            if isThere { stand.google.mood = .answering(status: 503) } else { stand.google.stop() }
            let statistics = try await stand.process(spooled: true) { sink in
                sink.log(makeEvent("shown"))
                await stand.clock.waitForSleepers()
            }
            let text = stand.log.seenLines.map { "\($0.message) \($0.metadata)" }.joined() + "\(statistics)"
            let files = try stand.spooled()
            #expect(files.contains("shown"))
            #expect(stand.log.seen.count == 1)
            for part in ["hush", "s3cret"] { #expect(!text.contains(part) && !files.contains(part)) }
        }
    }
}
