import Concurrency
import FoundationEssentials
import Products
import TestSupport
import Testing

@testable import Service

@Suite("Times of modification")
struct ModificationTimesTests {
    private let clock = ManualWallClock(now: Date(timeIntervalSince1970: 1000.75))
    private let times: ModificationTimes

    init() {
        times = ModificationTimes(wallClock: WallClock { [clock] in clock.now })
    }

    @Test("They are the clock's, and a second later for what comes within the second of another")
    func forward() {
        #expect(times.next().seconds == 1000)
        clock.advance(by: .seconds(5))
        #expect(times.next().seconds == 1005)
        clock.advance(by: .milliseconds(100))
        #expect(times.next().seconds == 1006)
        clock.advance(by: .seconds(1))
        #expect(times.next().seconds == 1007)
    }

    @Test("However much changes at once, they stay within a second of the clock, which nobody has been told yet")
    func many() {
        for _ in 0..<10 { _ = times.next() }
        let last = times.next()
        #expect(last.seconds == 1001)
        #expect(last.text(at: clock.now) == "Thu, 01 Jan 1970 00:16:40 GMT")
        clock.advance(by: .seconds(1))
        #expect(last.text(at: clock.now) == "Thu, 01 Jan 1970 00:16:41 GMT")
        clock.advance(by: .seconds(60))
        #expect(last.text(at: clock.now) == "Thu, 01 Jan 1970 00:16:41 GMT")
    }

    @Test("A clock that is set back does not take them back")
    func setBack() {
        let first = times.next().seconds
        clock.advance(by: .seconds(-500))
        let second = times.next()
        #expect(second.seconds == first + 1)
        #expect(second.text(at: clock.now) == "Thu, 01 Jan 1970 00:08:20 GMT")
    }
}
