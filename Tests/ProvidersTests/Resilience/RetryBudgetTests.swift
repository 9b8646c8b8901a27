internal import Testing

@testable internal import Providers

struct RetryBudgetTests {
    @Test(
        "there may be a share of the calls, and three a second besides, over ten seconds",
        arguments: [(0, 0.2, 30), (4, 0.2, 30), (5, 0.2, 31), (100, 0.2, 50), (100, 0, 30), (100, 1, 130)])
    func size(calls: Int, share: Double, retries: Int) {
        var budget = RetryBudget(share: share)
        for _ in 0..<calls { budget.recordCall(at: .zero) }
        #expect(taken(from: &budget, at: .zero) == retries)
        #expect(budget.left(at: .zero) == 0)
    }

    @Test("what was taken comes back when its second leaves the window", arguments: [(9_999, 0), (10_000, 30)])
    func regained(milliseconds: Int, retries: Int) {
        var budget = RetryBudget(share: 0.2)
        _ = taken(from: &budget, at: .zero)
        #expect(taken(from: &budget, at: .milliseconds(milliseconds)) == retries)
    }

    @Test("what calls earned is gone when they leave the window", arguments: [(9_999, 32), (10_000, 30)])
    func forgotten(milliseconds: Int, retries: Int) {
        var budget = RetryBudget(share: 0.2)
        for _ in 0..<10 { budget.recordCall(at: .zero) }
        #expect(taken(from: &budget, at: .milliseconds(milliseconds)) == retries)
    }

    @Test("of a steady load that always fails, retries stay at the share and the floor")
    func steady() {
        var budget = RetryBudget(share: 0.2)
        var taken: [Int] = []
        for second in 0..<60 {
            for call in 0..<100 {
                let now = Duration.seconds(second) + .milliseconds(call * 10)
                budget.recordCall(at: now)
                if budget.takeRetry(at: now) { taken.append(second) }
            }
        }
        for start in 0...50 {
            #expect(taken.count { (start..<start + 10).contains($0) } <= 230)
        }
        #expect(taken.count { (50..<60).contains($0) } > 220)
    }

    /// How many retries there are until the budget is used up.
    private func taken(from budget: inout RetryBudget, at now: Duration) -> Int {
        (0..<1000).count { _ in budget.takeRetry(at: now) }
    }
}
