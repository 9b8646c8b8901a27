internal import Testing

@testable internal import Networking

struct ReachabilityThresholdTests {
    @Test(
        "changes its mind after so many results in a row, and only then",
        arguments: [
            // fall, rise, results (+ success, - failure), verdict after each (U reachable, D not)
            (2, 2, "--++", "UDDU"),
            (1, 1, "-+-+", "DUDU"),
            (3, 2, "--+---", "UUUUUD"),
            (3, 2, "---+-+-++", "UUDDDDDDU"),
            (1, 3, "-++-+++", "DDDDDDU"),
            (2, 1, "++++--+", "UUUUUDU"),
        ])
    func verdicts(fall: Int, rise: Int, results: String, verdicts: String) {
        var threshold = ReachabilityThreshold(fall: fall, rise: rise)
        var seen = ""
        var previous = true
        for result in results {
            let change = threshold.record(success: result == "+")
            #expect(change == (threshold.isReachable == previous ? nil : threshold.isReachable))
            previous = threshold.isReachable
            seen += threshold.isReachable ? "U" : "D"
        }
        #expect(seen == verdicts)
    }

    @Test func `starts reachable`() {
        #expect(ReachabilityThreshold(fall: 1, rise: 1).isReachable)
    }
}
