internal import FoundationEssentials
internal import JSON
internal import TestSupport
internal import Testing

@testable internal import Analytics

struct GoogleAnalyticsEventTests {
    private func parameters(_ parameters: JSONObject) throws -> JSONObject? {
        let event = try #require(GoogleAnalyticsEvent(makeEvent(parameters: parameters), clientID: "c"))
        return try JSONParser().parse(event.json).object?["params"]?.object
    }

    @Test(arguments: [
        (String(repeating: "x", count: 100), 100), (String(repeating: "x", count: 101), 100),
        (String(repeating: "é", count: 200), 100), ("x" + String(repeating: "😀", count: 60), 50),
        ("e" + String(repeating: "\u{301}", count: 120), 0),
    ])
    func `values are cut to 100 characters, none of which is cut itself`(text: String, count: Int) throws {
        #expect(try parameters(["p": .string(text)])?["p"] == .string(String(text.prefix(count))))
    }

    @Test func `numbers stay, nothing goes, and whatever else there is becomes text`() throws {
        let found = try parameters(
            ["a": 7, "b": .null, "c": true, "d": .object(["x": .array([1, 2])]), "e": "t"] as JSONObject)
        #expect(found == ["a": 7, "c": "true", "d": #"{"x":[1,2]}"#, "e": "t"])
    }

    @Test func `parameters with bad names, and those beyond 25, are left out`() throws {
        let many = JSONObject((0..<30).map { ("p\($0)", JSONValue.string("")) })
        #expect(try parameters(many)?.keys == (0..<25).map { "p\($0)" })
        #expect(try parameters(["ga_x": "", "good": "", "bad-one": "", "_": ""])?.keys == ["good"])
    }

    @Test func `an event comes out of its line as it went in`() throws {
        let event = try #require(
            GoogleAnalyticsEvent(
                makeEvent(
                    "shown", at: Date(timeIntervalSince1970: 1_769_860_800.25), parameters: ["a": "\n\"", "n": 1]),
                clientID: "a b\n"))
        #expect(event.line.count { $0 == UInt8(ascii: "\n") } == 1 && event.line.last == UInt8(ascii: "\n"))
        #expect(GoogleAnalyticsEvent(line: event.line.dropLast()) == event)
        #expect(event.timestamp == 1_769_860_800_250_000)
    }

    @Test(arguments: ["", "{", "[]", "{}", #"{"client_id":"c","event":{"name":"x"}}"#])
    func `a line that is none is not read`(line: String) {
        #expect(GoogleAnalyticsEvent(line: line.utf8) == nil)
    }

    @Test(arguments: [("ab", "ab"), ("", "c"), (nil, "c")] as [(String?, String)])
    func `the subject of an event is its client, unless it is empty`(subject: String?, client: String) throws {
        let event = GoogleAnalyticsEvent(makeEvent(subject: subject), clientID: "c")
        #expect(event?.clientID == client)
    }

    @Test func `a parameter that is called subject is a parameter like any other`() throws {
        let event = try #require(GoogleAnalyticsEvent(makeEvent(parameters: ["subject": "autumn"]), clientID: "c"))
        #expect(event.clientID == "c")
        #expect(try parameters(["subject": "autumn"]) == ["subject": "autumn"])
    }

    @Test(arguments: [
        "", "1a", "_a", "a-b", "a b", "é", "ga_a", "google_a", "firebase_a", "gtag.a", "session_start", "ad_click",
        String(repeating: "a", count: 41),
    ])
    func `names that would be ignored are found`(name: String) {
        #expect(GoogleAnalyticsName.event.problem(name) != nil)
        #expect(GoogleAnalyticsEvent(makeEvent(name), clientID: "c") == nil)
    }

    @Test(arguments: [
        "products_network_hit", "products_cache_hit", "experiment_exposure", "a", String(repeating: "a", count: 40),
    ])
    func `the events of this service have good names`(name: String) {
        #expect(GoogleAnalyticsName.event.problem(name) == nil)
    }
}
