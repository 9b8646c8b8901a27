internal import FoundationEssentials
internal import JSON
internal import TestSupport
internal import Testing

@testable internal import Analytics

@Suite(.timeLimit(.minutes(1)))
struct GoogleAnalyticsSinkTests {
    @Test func `events go out in batches that are within the limits, and are counted by name`() async throws {
        try await GoogleAnalyticsStand.with { stand in
            let statistics = try await stand.process { sink in
                for _ in 0..<120 { sink.log(makeEvent("shown", parameters: ["shop": "main"])) }
                await stand.google.wait(events: 120)
            }
            #expect(statistics == AnalyticsStatistics(queued: 0, sent: ["shown": 120], dropped: [:]))
            #expect(stand.google.requests.allSatisfy { $0.clientID == "shop" })
            #expect(
                stand.google.requests.first?.events.first == [
                    "name": "shown", "timestamp_micros": 1_769_860_800_000_000, "params": .object(["shop": "main"]),
                ])
            #expect(stand.log.seen == [])
        }
    }

    @Test func `an event that tells its subject is counted for that, and a request is of one client`() async throws {
        try await GoogleAnalyticsStand.with { stand in
            _ = try await stand.process { sink in
                for round in 0..<30 {
                    for subject in ["ab12", "cd34"] {
                        sink.log(makeEvent("exposure", parameters: ["round": 1], subject: subject))
                    }
                    if round % 10 == 0 { sink.log(makeEvent("shown")) }
                }
                await stand.google.wait(events: 63)
            }
            let counts = Dictionary(grouping: stand.google.requests) { $0.clientID ?? "" }
                .mapValues { $0.reduce(0) { $0 + $1.events.count } }
            #expect(counts == ["ab12": 30, "cd34": 30, "shop": 3])
        }
    }

    @Test func `without a configured client the sink makes one up, the same for all its events`() async throws {
        try await GoogleAnalyticsStand.with { stand in
            for round in 1...2 {
                _ = try await stand.process(client: nil) { sink in
                    sink.log(makeEvent("shown"))
                    await stand.google.wait(events: round)
                }
            }
            let clients = stand.google.requests.compactMap(\.clientID)
            #expect(clients.count == 2 && Set(clients).count == 1)
            #expect(clients.first?.wholeMatch(of: /[1-9][0-9]*\.[0-9]{10}/) != nil)
        }
    }

    @Test func `an event with a name that would be ignored is not sent, and counted`() async throws {
        try await GoogleAnalyticsStand.with { stand in
            let statistics = try await stand.process { sink in
                sink.log(makeEvent("ga_shown"))
                sink.log(makeEvent("shown"))
            }
            #expect(statistics == AnalyticsStatistics(queued: 0, sent: ["shown": 1], dropped: [.invalid: 1]))
        }
    }

    @Test(arguments: [408, 500, 503].map { .answering(status: $0) } + [.resetting] as [GoogleAnalyticsStandIn.Mood])
    func `an endpoint that fails is tried again, after pauses that grow, until it works`(
        mood: GoogleAnalyticsStandIn.Mood
    ) async throws {
        try await GoogleAnalyticsStand.with { stand in
            stand.google.mood = mood
            let statistics = try await stand.process { sink in
                sink.log(makeEvent("first"))
                for pause in [1, 2, 4] {
                    await stand.clock.waitForSleepers()
                    let asked = stand.google.asked
                    stand.clock.advance(by: .seconds(pause) - .milliseconds(1))
                    #expect(stand.clock.sleepers == 1 && stand.google.asked == asked)
                    stand.clock.advance(by: .milliseconds(1))
                    await stand.google.wait(asked: asked + 1)
                }
                await stand.clock.waitForSleepers()
                // While it is down nothing is tried with new events.
                let asked = stand.google.asked
                sink.log(makeEvent("second"))
                #expect(stand.google.asked == asked)
                stand.google.mood = .well
                stand.clock.advance(by: .seconds(8))
                await stand.log.wait(lines: 2)
                sink.log(makeEvent("third"))
            }
            #expect(statistics.sent == ["first": 1, "second": 1, "third": 1])
            #expect(statistics.dropped == [:])
            #expect(
                stand.log.seen == [
                    "warning: analytics cannot be delivered and wait", "notice: analytics are delivered again",
                ])
        }
    }

    @Test(arguments: [429, 503])
    func `what the endpoint asks for with Retry-After is waited for`(status: Int) async throws {
        try await GoogleAnalyticsStand.with { stand in
            stand.google.mood = .answering(status: status, headers: "Retry-After: 120\r\n")
            _ = try await stand.process { sink in
                sink.log(makeEvent("shown"))
                await stand.clock.waitForSleepers()
                stand.google.mood = .well
                stand.clock.advance(by: .seconds(119))
                #expect(stand.clock.sleepers == 1)
                stand.clock.advance(by: .seconds(1))
                await stand.google.wait(events: 1)
            }
        }
    }

    @Test(arguments: [400, 403, 404, 413, 302])
    func `what is refused is not tried again, and counted`(status: Int) async throws {
        try await GoogleAnalyticsStand.with { stand in
            stand.google.mood = .answering(status: status, headers: "Location: /elsewhere\r\n")
            let statistics = try await stand.process { sink in
                for round in 1...3 {
                    sink.log(makeEvent("shown"))
                    await stand.google.wait(asked: round)
                    await stand.lost(sink, round)
                }
            }
            #expect(stand.google.asked == 3)
            #expect(statistics == AnalyticsStatistics(queued: 0, sent: [:], dropped: [.refused: 3]))
            #expect(stand.log.seen == ["warning: analytics are refused, events are dropped"])
            #expect(stand.log.seenLines.first?.metadata == ["sink": "s", "status": "\(status)"])
        }
    }

    @Test func `without a spool, what could not be sent until the end is counted`() async throws {
        try await GoogleAnalyticsStand.with { stand in
            stand.google.mood = .answering(status: 500)
            let statistics = try await stand.process { sink in
                for event in 0..<30 { sink.log(makeEvent("shown", parameters: ["n": .number(JSONNumber(event))])) }
                await stand.clock.waitForSleepers()
                stand.ringWhileClosing(others: 1)
            }
            #expect(statistics == AnalyticsStatistics(queued: 0, sent: [:], dropped: [.closed: 30]))
        }
    }

    @Test
    func `without a spool, a request that always fails is given up after 25 tries, and others go out`() async throws {
        try await GoogleAnalyticsStand.with { stand in
            stand.google.mood = .brokenBy(event: "poison")
            let statistics = try await stand.process { sink in
                sink.log(makeEvent("poison"))
                await stand.google.wait(asked: 1)
                sink.log(makeEvent("shown"))
                await stand.letTimePass { stand.google.names == ["shown"] }
                #expect(stand.google.asked == 26)
            }
            #expect(statistics == AnalyticsStatistics(queued: 0, sent: ["shown": 1], dropped: [.expired: 1]))
        }
    }

    @Test
    func `with a spool, a request that always fails does not keep others from being sent, and is told once`()
        async throws
    {
        try await GoogleAnalyticsStand.with { stand in
            stand.google.mood = .brokenBy(event: "poison")
            let statistics = try await stand.process(spooled: true) { sink in
                sink.log(makeEvent("poison"))
                await stand.letTimePass { stand.google.asked == 3 }
                for round in 1...3 {
                    sink.log(makeEvent("shown"))
                    await stand.drained(sink)
                    await stand.letTimePass { stand.google.names.count == round }
                }
                #expect(sink.backlogBytes ?? 0 > 0)
                let asked = stand.google.asked
                await stand.letTimePass { stand.google.asked > asked }
                await stand.clock.waitForSleepers()
            }
            #expect(statistics == AnalyticsStatistics(queued: 0, sent: ["shown": 3], dropped: [:]))
            #expect(try stand.spooled().contains("poison"))
            #expect(stand.log.seen == ["warning: analytics cannot be delivered and wait"])
        }
    }

    @Test
    func `with a spool, a request that always fails is tried seldom, and does not delay others that are delivered`()
        async throws
    {
        try await GoogleAnalyticsStand.with { stand in
            stand.google.mood = .brokenBy(event: "poison")
            let statistics = try await stand.process(spooled: true) { sink in
                sink.log(makeEvent("poison"))
                await stand.clock.waitForSleepers()
                stand.clock.advance(by: .seconds(1))
                await stand.google.wait(asked: 2)
                await stand.clock.waitForSleepers()
                // Waits in a file of its own, since the other's has been tried.
                sink.log(makeEvent("shown"))
                await stand.drained(sink)
                stand.clock.advance(by: .seconds(2))
                await stand.google.wait(asked: 4)
                await stand.clock.waitForSleepers()
                for round in 2...60 {
                    sink.log(makeEvent("shown"))
                    await stand.google.wait(events: round)
                    await stand.drained(sink)
                    stand.clock.advance(by: .seconds(1))
                }
                let asked = stand.google.asked
                #expect(asked - stand.google.names.count <= 10)
                await stand.letTimePass { stand.google.asked > asked }
                await stand.clock.waitForSleepers()
            }
            #expect(statistics == AnalyticsStatistics(queued: 0, sent: ["shown": 60], dropped: [:]))
        }
    }
}
