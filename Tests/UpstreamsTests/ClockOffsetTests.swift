internal import FoundationEssentials
internal import ProvidersTestSupport
internal import Testing

@testable internal import Upstreams

/// Dates of an upstream that are behind: its clock, or an answer that was kept.
struct ClockOffsetTests {
    private let start = Date(timeIntervalSince1970: 1_769_860_800)

    /// Whether each of some answers is that of a clock; they come at these seconds and look this old.
    private func verdicts(_ answers: [(second: Double, offset: Double)]) -> [Bool] {
        var offset = ClockOffset()
        return answers.map { offset.isOfClock($0.offset, at: start + $0.second) }
    }

    @Test func `an answer that was kept looks older each time`() {
        #expect(verdicts((0..<20).map { (Double($0), 3600 + Double($0)) }).allSatisfy { !$0 })
        #expect(verdicts((0..<20).map { (Double($0) * 30, 3600 + Double($0) * 30) }).allSatisfy { !$0 })
    }

    @Test func `a clock that is behind makes answers look as old each time`() {
        #expect(
            verdicts([(0, 3600), (1, 3599.2), (3, 3600.4), (4, 3600), (5, 3600.9)]) == [
                false, false, false, true, true,
            ])
        #expect(verdicts([(0, 3600), (30, 3600)]) == [false, true])
    }

    @Test func `an answer that was kept for long counts by a wrong clock too, and a clock that steps is learned again`()
    {
        #expect(verdicts([(0, 60), (30, 60), (60, 60), (90, 500), (120, 530)]) == [false, true, true, false, false])
        #expect(
            verdicts([(0, 60), (30, 60), (31, 86_460), (61, 86_460), (91, 60)]) == [false, true, false, true, false])
    }
}
