internal import JSON
internal import TestSupport
internal import Testing

@testable internal import Analytics

struct GoogleAnalyticsPackTests {
    private func makeEvents(_ count: Int, client: String = "c", text: String = "") throws -> [GoogleAnalyticsEvent] {
        let parameters = JSONObject((0..<25).map { ("p\($0)", JSONValue.string(text)) })
        return try (0..<count).map { _ in
            try #require(GoogleAnalyticsEvent(makeEvent("shown", parameters: parameters), clientID: client))
        }
    }

    @Test(arguments: [(1, [1]), (25, [25]), (26, [25, 1]), (75, [25, 25, 25]), (0, [])])
    func `a pack holds 25 events`(events: Int, expected: [Int]) throws {
        let (packs, tooLarge) = GoogleAnalyticsPack.packing(try makeEvents(events))
        #expect(packs.map(\.events.count) == expected)
        #expect(tooLarge == 0)
    }

    @Test func `a pack has at most 130,000 bytes, and as many events as go into that`() throws {
        // Each of these characters takes six bytes as it is sent.
        let events = try makeEvents(50, text: String(repeating: "\u{1}", count: 100))
        let (packs, tooLarge) = GoogleAnalyticsPack.packing(events)
        #expect(packs.flatMap(\.events) == events)
        #expect(tooLarge == 0)
        #expect(packs.allSatisfy { $0.body.count <= 130_000 })
        let largest = events.map(\.json.count).max() ?? 0
        #expect(packs.dropLast().allSatisfy { $0.body.count + largest > 130_000 })
    }

    @Test(arguments: [(0, [2]), (1, [1, 1])])
    func `130,000 bytes are one pack, and one more are two`(more: Int, expected: [Int]) throws {
        let frame = #"{"client_id":"c","events":[,]}"#.utf8.count
        let events = try [60_000, 130_000 - frame - 60_000 + more].map(makeLargeEvent)
        let (packs, _) = GoogleAnalyticsPack.packing(events)
        #expect(packs.map(\.events.count) == expected)
        #expect(packs.first?.body.count == (more == 0 ? 130_000 : frame - 1 + 60_000))
    }

    private func makeLargeEvent(_ count: Int) throws -> GoogleAnalyticsEvent {
        let empty = #"{"name":"shown","timestamp_micros":1,"params":{"p":""}}"#
        let body = empty.replacing(#""""#, with: "\"\(String(repeating: "x", count: count - empty.utf8.count))\"")
        let event = try #require(GoogleAnalyticsEvent(line: #"{"client_id":"c","event":\#(body)}"#.utf8))
        try #require(event.json.count == count)
        return event
    }

    @Test func `a pack is of one client`() throws {
        let events = try ["a", "b", "a", "c", "b"].flatMap { try makeEvents(10, client: $0) }
        let (packs, _) = GoogleAnalyticsPack.packing(events)
        #expect(packs.map(\.clientID) == ["a", "b", "c"])
        #expect(packs.map(\.events.count) == [20, 20, 10])
    }

    @Test func `the body is one JSON object with the client and the events in their order`() throws {
        let events = try makeEvents(3, client: "\"quoted\" é")
        let pack = try #require(GoogleAnalyticsPack.packing(events).packs.first)
        let object = try #require(try JSONParser().parse(pack.body).object)
        #expect(object.keys == ["client_id", "events"])
        #expect(object["client_id"] == "\"quoted\" é")
        #expect(try object["events"]?.array == events.map { try JSONParser().parse($0.json) })
    }

    @Test func `an event that is too large for any pack is told apart, and the others go`() throws {
        let line =
            #"{"client_id":"c","event":{"name":"shown","timestamp_micros":1,"params":{"p":""#
            + String(repeating: "x", count: 130_000) + #""}}}"#
        let large = try #require(GoogleAnalyticsEvent(line: line.utf8))
        let events = try makeEvents(2)
        let (packs, tooLarge) = GoogleAnalyticsPack.packing([events[0], large, events[1]])
        #expect(packs.map(\.events) == [events])
        #expect(tooLarge == 1)
    }
}
