import Concurrency
import Testing

struct HoldOffTests {
    @Test func `pauses double from the base up to the cap, and begin anew after a success`() {
        var holdOff = HoldOff(base: .seconds(1), cap: .seconds(30))
        #expect(pauses(8, of: &holdOff) == [1, 2, 4, 8, 16, 30, 30, 30])
        holdOff.succeed()
        #expect(holdOff.remaining(at: .zero) == nil)
        #expect(pauses(2, of: &holdOff) == [1, 2])
    }

    @Test(arguments: [(nil, 1), (0, 1), (1, 1), (7, 7), (30, 30), (3600, 30)] as [(Int?, Int)])
    func `an upstream that names a time gets it where it is longer, up to the cap`(seconds: Int?, pause: Int) {
        var holdOff = HoldOff(base: .seconds(1), cap: .seconds(30))
        holdOff.fail(at: .seconds(5), retryAfter: seconds.map { .seconds($0) })
        #expect(holdOff.remaining(at: .seconds(5)) == .seconds(pause))
    }

    @Test func `a named time is an exception: the doubling goes on beside it`() {
        var holdOff = HoldOff(base: .seconds(1), cap: .seconds(30))
        holdOff.fail(at: .zero, retryAfter: .seconds(20))
        #expect(pauses(2, of: &holdOff) == [2, 4])
    }

    @Test(arguments: [(0, 1000), (999, 1), (1000, nil), (1001, nil)])
    func `the border belongs to the time after the pause`(milliseconds: Int, remaining: Int?) {
        var holdOff = HoldOff(base: .seconds(1), cap: .seconds(30))
        holdOff.fail(at: .zero, retryAfter: nil)
        #expect(holdOff.remaining(at: .milliseconds(milliseconds)) == remaining.map { .milliseconds($0) })
    }

    @Test func `a base over the cap is the cap`() {
        var holdOff = HoldOff(base: .seconds(60), cap: .seconds(30))
        #expect(pauses(2, of: &holdOff) == [60, 60])
    }

    @Test func `thousands of failures do not overflow`() {
        var holdOff = HoldOff(base: .milliseconds(1), cap: .seconds(1_000_000_000))
        for _ in 0..<5000 { holdOff.fail(at: .zero, retryAfter: nil) }
        #expect(holdOff.remaining(at: .zero) == .milliseconds(1 << 32))
    }

    /// The pauses, in seconds, after so many failures in a row.
    private func pauses(_ count: Int, of holdOff: inout HoldOff) -> [Int64] {
        (0..<count).map { _ in
            holdOff.fail(at: .zero, retryAfter: nil)
            return holdOff.remaining(at: .zero)?.components.seconds ?? 0
        }
    }
}
