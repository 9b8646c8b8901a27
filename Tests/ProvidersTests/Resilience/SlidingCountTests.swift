internal import Testing

@testable internal import Providers

struct SlidingCountTests {
    @Test(
        "an event at the beginning of a second is counted for the whole window, and not a moment longer",
        arguments: [(0, 1), (29_999, 1), (30_000, 0), (30_001, 0), (1_000_000, 0)])
    func edge(milliseconds: Int, total: Int) {
        var count = SlidingCount(seconds: 30)
        count.add(at: .zero)
        #expect(count.total(at: .milliseconds(milliseconds)) == total)
    }

    @Test("an event leaves with its second", arguments: [(39_999, 1), (40_000, 0)])
    func withItsSecond(milliseconds: Int, total: Int) {
        var count = SlidingCount(seconds: 30)
        count.add(at: .milliseconds(10_999))
        #expect(count.total(at: .milliseconds(milliseconds)) == total)
    }

    @Test("events leave one second after the other")
    func sliding() {
        var count = SlidingCount(seconds: 3)
        for second in [0, 0, 1, 2, 2, 2] { count.add(at: .seconds(second)) }
        #expect((2...6).map { count.total(at: .seconds($0)) } == [6, 4, 3, 0, 0])
    }

    @Test("a second that comes round again begins with nothing in it")
    func ring() {
        var count = SlidingCount(seconds: 3)
        for second in 0..<20 {
            count.add(at: .seconds(second))
            #expect(count.total(at: .seconds(second)) == min(second + 1, 3))
        }
        #expect(count.total(at: .seconds(19 + 2)) == 1)
    }

    @Test("a reading that comes late counts with the newest")
    func late() {
        var count = SlidingCount(seconds: 3)
        count.add(at: .seconds(5))
        count.add(at: .seconds(4))
        #expect(count.total(at: .seconds(7)) == 2)
        #expect(count.total(at: .seconds(8)) == 0)
    }
}
