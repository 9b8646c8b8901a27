/// Gives every event to several sinks. Each has a queue of its own, so one that fails does not affect the others.
package struct TeeAnalyticsSink: AnalyticsSink {
    private let sinks: [any AnalyticsSink]

    package init(sinks: [any AnalyticsSink]) {
        self.sinks = sinks
    }

    package func log(_ event: AnalyticsEvent) {
        for sink in sinks { sink.log(event) }
    }
}
