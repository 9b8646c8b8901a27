internal import TestSupport
internal import Testing

@testable internal import Analytics

struct DeliveryStateTests {
    private struct Broken: Error {}

    private let log = LogRecorder()
    private let state: DeliveryState

    init() {
        state = DeliveryState(name: "s", logger: log.logger)
    }

    @Test("after an outage events are delivered again when one was, and not when one was refused")
    func refusalAfterOutage() {
        state.note(DeliveryVerdict(failure: "status 500"))
        state.note(DeliveryVerdict(refusal: 403))
        #expect(!state.isDown)
        let lines = [
            "warning: analytics cannot be delivered and wait", "warning: analytics are refused, events are dropped",
        ]
        #expect(log.seen == lines)
        for _ in 0..<2 { state.note(DeliveryVerdict(isDelivered: true)) }
        #expect(log.seen == lines + ["notice: analytics are delivered again"])
    }

    @Test("what cannot be worked off is not lost, and what cannot be kept is; each is said once, and so is its end")
    func backlog() {
        for error in [Broken(), Broken(), nil, nil] as [Broken?] {
            state.noteTaking(error)
            state.noteKeeping(nil)
        }
        #expect(
            log.seen == [
                "warning: undelivered analytics cannot be worked off and wait",
                "notice: undelivered analytics can be worked off again",
            ])
        for error in [Broken(), Broken(), nil, nil] as [Broken?] {
            state.noteKeeping(error)
            state.noteTaking(nil)
        }
        #expect(
            log.seen.suffix(2) == [
                "warning: undelivered analytics cannot be kept, events are dropped",
                "notice: undelivered analytics can be kept again",
            ])
    }

    @Test("that suspects fail is no outage, does not end one, and has new events tried")
    func suspects() {
        state.note(DeliveryVerdict(failure: "status 500"), isSuspect: true)
        #expect(!state.isDown && log.seen == [])
        state.note(DeliveryVerdict(failure: "status 500"))
        state.note(DeliveryVerdict(failure: "status 500"), isSuspect: true)
        #expect(!state.isDown)
        state.note(DeliveryVerdict(failure: "status 500"))
        #expect(state.isDown)
        #expect(state.pause(jitter: 1) == .seconds(2))
        #expect(log.seen == ["warning: analytics cannot be delivered and wait"])
    }

    @Test("an endpoint that asks to be left alone is, whatever it was sent")
    func suspectsWithWait() {
        state.note(DeliveryVerdict(failure: "status 503", wait: .seconds(120)), isSuspect: true)
        #expect(state.pause(jitter: 1) == .seconds(120))
    }

    @Test("that there is no room is said once, and so is its end")
    func room() {
        for hasRoom in [true, false, false, true, true] { state.noteRoom(hasRoom) }
        #expect(
            log.seen == [
                "warning: there is no room for more undelivered analytics, events are dropped",
                "notice: there is room for undelivered analytics again",
            ])
    }
}
