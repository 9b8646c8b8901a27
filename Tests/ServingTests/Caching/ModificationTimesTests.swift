import Concurrency
import FoundationEssentials
import HTTPServer
import TestSupport
import Testing

@testable import Serving

@Suite struct ModificationTimesTests {
    private let clock = ManualWallClock(now: Date(timeIntervalSince1970: 1000.75))
    private let times: ModificationTimes

    init() {
        times = ModificationTimes(wallClock: WallClock { [clock] in clock.now })
    }

    @Test func `times follow the clock, a second later within the same second`() {
        #expect(times.next().seconds == 1000)
        clock.advance(by: .seconds(5))
        #expect(times.next().seconds == 1005)
        clock.advance(by: .milliseconds(100))
        #expect(times.next().seconds == 1006)
        clock.advance(by: .seconds(1))
        #expect(times.next().seconds == 1007)
    }

    @Test func `many changes stay within a second of the clock, and are shown once it is reached`() {
        for _ in 0..<10 { _ = times.next() }
        let last = times.next()
        #expect(last.seconds == 1001)
        #expect(last.text(at: clock.now) == "Thu, 01 Jan 1970 00:16:40 GMT")
        clock.advance(by: .seconds(1))
        #expect(last.text(at: clock.now) == "Thu, 01 Jan 1970 00:16:41 GMT")
        clock.advance(by: .seconds(60))
        #expect(last.text(at: clock.now) == "Thu, 01 Jan 1970 00:16:41 GMT")
    }

    @Test func `a clock set back takes no time back`() {
        let first = times.next().seconds
        clock.advance(by: .seconds(-500))
        let second = times.next()
        #expect(second.seconds == first + 1)
        #expect(second.text(at: clock.now) == "Thu, 01 Jan 1970 00:08:20 GMT")
    }
}
