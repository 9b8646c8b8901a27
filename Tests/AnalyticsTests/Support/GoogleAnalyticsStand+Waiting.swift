internal import TestSupport

@testable internal import Analytics

extension GoogleAnalyticsStand {
    /// Returns when nothing waits in the sink's queue any more, and what did has got to the endpoint or the backlog.
    func drained(_ sink: any AnalyticsSink) async {
        while let queue = sink as? QueuedAnalyticsSink, !queue.isIdle { await Task.yield() }
    }

    /// Returns when so many events have been lost.
    func lost(_ sink: any AnalyticsSink, _ count: Int) async {
        while let reporting = sink as? any AnalyticsReporting,
            reporting.statistics.dropped.values.reduce(0, +) < count
        {
            await Task.yield()
        }
    }

    /// Lets time pass until there have been so many requests, however they ended.
    func letTimePass(asked count: Int) async {
        while google.asked < count {
            clock.advance(by: .seconds(1))
            await Task.yield()
        }
    }

    /// Has the alarms of closing ring, by which what hangs is cancelled: that of the queue, and that of who tries again.
    func letTimePassWhileClosing() {
        Task { [clock] in
            for patience in [Duration.milliseconds(1500), .milliseconds(250)] {
                await clock.waitForSleepers(2)
                clock.advance(by: patience)
                while clock.sleepers > 1 { await Task.yield() }
            }
        }
    }
}
