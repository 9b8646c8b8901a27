import Testing

@testable import Service

@Suite("Lost log lines")
struct LogLossesTests {
    private let start = ContinuousClock.now

    @Test("They are told of at once, those that come after a pause later, and at the end all that are left")
    func pause() {
        var losses = LogLosses()
        #expect(losses.tellable(at: start, atOnce: false) == nil)
        losses.note(1)
        #expect(losses.tellable(at: start, atOnce: false) == 1)
        losses.note(2)
        #expect(losses.tellable(at: start + LogLosses.pause - .nanoseconds(1), atOnce: false) == nil)
        losses.note(3)
        #expect(losses.tellable(at: start + LogLosses.pause, atOnce: false) == 5)
        #expect(losses.tellable(at: start + LogLosses.pause * 3, atOnce: false) == nil)
        losses.note(4)
        _ = losses.tellable(at: start + LogLosses.pause * 3, atOnce: false)
        losses.note(4)
        #expect(losses.tellable(at: start + LogLosses.pause * 3, atOnce: true) == 4)
        #expect(losses.tellable(at: start + LogLosses.pause * 3, atOnce: true) == nil)
    }
}
