internal import FoundationEssentials
internal import JSON
internal import TestSupport

@testable internal import Analytics

func makeEvent(
    _ name: String = "asked", at timestamp: Date = ManualWallClock().now, parameters: JSONObject = JSONObject(),
    subject: String? = nil
) -> AnalyticsEvent {
    AnalyticsEvent(name: name, timestamp: timestamp, parameters: parameters, subject: subject)
}

func makeEvents(_ names: Range<Int>) -> [AnalyticsEvent] {
    names.map { makeEvent("\($0)") }
}
