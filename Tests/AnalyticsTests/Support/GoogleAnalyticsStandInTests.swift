internal import FoundationEssentials
internal import TestSupport
internal import Testing

@testable internal import Analytics

struct GoogleAnalyticsStandInTests {
    private static let target = "POST /mp/collect?measurement_id=G-TEST1&api_secret=hush%2Fs3cret%2B%26 HTTP/1.1"
    private static let event = #"{"name":"a","timestamp_micros":1769860800000000,"params":{"p":"v"}}"#

    private func faults(
        _ body: String, target: String = Self.target, type: String = "application/json"
    ) -> [String] {
        GoogleAnalyticsRequest(head: "\(target)\r\nContent-Type: \(type)\r\n\r\n", body: Array(body.utf8))
            .faults(secret: GoogleAnalyticsStandIn.secret, now: ManualWallClock().now)
    }

    private func body(_ events: [String], client: String = "c") -> String {
        #"{"client_id":"\#(client)","events":[\#(events.joined(separator: ","))]}"#
    }

    @Test func `takes a good request`() {
        #expect(faults(body(Array(repeating: Self.event, count: 25))) == [])
    }

    @Test(arguments: [
        (#""a""#, #""1a""#), (#""a""#, #""ga_a""#), (#""a""#, #""a-b""#),
        (#""a""#, "\"" + String(repeating: "a", count: 41) + "\""), ("1769860800", "1769500000"),
        (#""p""#, #""_p""#), (#""v""#, "true"), (#""v""#, "\"" + String(repeating: "v", count: 101) + "\""),
        (#"{"p":"v"}"#, "{" + (0..<26).map { #""p\#($0)":"v""# }.joined(separator: ",") + "}"),
    ])
    func `refuses what is wrong with an event`(good: String, bad: String) {
        #expect(faults(body([Self.event.replacing(good, with: bad)])).count == 1)
    }

    @Test func `refuses what is wrong with a request`() {
        let good = body([Self.event])
        #expect(faults(body([])) == ["0 events"])
        #expect(faults(body(Array(repeating: Self.event, count: 26))) == ["26 events"])
        #expect(faults(body([Self.event], client: "")) == ["no client id"])
        #expect(faults(good + String(repeating: " ", count: 130_000)) == ["\(good.utf8.count + 130_000) bytes"])
        #expect(faults(good, type: "text/plain") == ["wrong content type"])
        for (right, wrong) in [("hush", "hash"), ("G-TEST1", "G-TEST2"), ("POST", "GET"), ("/mp/collect", "/collect")] {
            let target = Self.target.replacing(right, with: wrong)
            #expect(faults(good, target: target) == ["wrong method, path, stream or secret"])
        }
    }
}
