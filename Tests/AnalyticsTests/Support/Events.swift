internal import FoundationEssentials
internal import JSON
internal import TestSupport

@testable internal import Analytics

func makeEvent(
    _ name: String = "asked", at timestamp: Date = ManualWallClock().now, parameters: JSONObject = JSONObject(),
    subject: String? = nil
) -> AnalyticsEvent {
    AnalyticsEvent(.init(name: name, parameters: parameters, subject: subject), at: timestamp)
}

func makeEvents(_ names: Range<Int>) -> [AnalyticsEvent] {
    names.map { makeEvent("\($0)") }
}
