internal import Health
internal import TestSupport
internal import Testing

@testable internal import Analytics

struct DeliveryHealthTests {
    private let log = LogRecorder()
    private let health: DeliveryHealth

    init() {
        health = DeliveryHealth(AnalyticsTroubles(log.logger))
    }

    @Test func `the pause doubles with each failure up to five minutes, and is a random part of that`() {
        #expect(health.pause(jitter: 1) == .zero)
        var pauses: [Duration] = []
        for _ in 0..<11 {
            health.record([.failed("status 500", wait: .zero)])
            pauses.append(health.pause(jitter: 1))
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map { .seconds($0) })
        #expect(health.pause(jitter: 0.5) == .seconds(150))
        health.record([.delivered])
        #expect(health.pause(jitter: 1) == .zero)
    }

    @Test(arguments: [(120, 120), (86400, 3600)])
    func `what the endpoint asks for is waited for, up to an hour`(asked: Int, granted: Int) {
        health.record([.failed("status 503", wait: .seconds(asked))])
        #expect(health.pause(jitter: 0) == .seconds(granted))
    }

    @Test func `after an outage events are delivered again when one was, and not when one was refused`() {
        health.record([.failed("status 500", wait: .zero)])
        health.record([.refused(status: 403)])
        #expect(!health.isDown)
        let lines = [
            "warning: analytics cannot be delivered and wait", "warning: analytics are refused, events are dropped",
        ]
        #expect(log.seen == lines)
        for _ in 0..<2 { health.record([.delivered]) }
        #expect(
            log.seen == lines + [
                "notice: analytics are accepted again", "notice: analytics are delivered again",
            ])
    }

    @Test func `an outage is not over while others wait, and its end is told with the last`() {
        health.record([.failed("status 500", wait: .zero), .delivered])
        #expect(health.isDown)
        health.record([.delivered], isLast: false)
        #expect(!health.isDown && log.seen.count == 1)
        health.record([.delivered])
        #expect(log.seen.last == "notice: analytics are delivered again")
    }

    @Test
    func `what fails by itself after a delivery is no outage, unless it fails again or the endpoint asks for a pause`()
    {
        let failure = GoogleAnalyticsEndpoint.Outcome.failed("status 500", wait: .zero)
        health.record([.delivered])
        health.record([failure], isHeldOff: true)
        #expect(!health.isDown && log.seen.count == 1)
        health.record([failure], isHeldOff: true)
        #expect(health.isDown)
        health.record([failure, .delivered], isHeldOff: true)
        #expect(!health.isDown)
        health.record([.failed("status 429", wait: .seconds(9)), .delivered], isHeldOff: true)
        #expect(health.pause(jitter: 0) == .seconds(9))
    }

    @Test func `a request that was interrupted says nothing`() {
        health.record([.failed("status 500", wait: .zero)])
        health.record([.interrupted])
        #expect(health.isDown && log.seen.count == 1)
    }

    @Test(arguments: [AnalyticsTrouble.full, .notKept, .notRead])
    func `a trouble is told once, and so is its end`(trouble: AnalyticsTrouble) {
        let troubles = AnalyticsTroubles(log.logger)
        for isSo in [false, true, true, false, false] { troubles.report(trouble, cause: isSo ? "status 500" : nil) }
        #expect(log.seen.count == 2)
        #expect(log.seen.first == "warning: \(trouble.rawValue)")
        #expect(log.seen.last?.hasPrefix("notice: ") == true)
    }
}
