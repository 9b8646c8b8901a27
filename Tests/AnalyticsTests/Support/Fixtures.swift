internal import Analytics
internal import JSON
internal import TestSupport

func makeEvent(_ name: String = "asked", parameters: JSONObject = JSONObject()) -> AnalyticsEvent {
    AnalyticsEvent(name: name, timestamp: ManualWallClock().now, parameters: parameters)
}

func makeEvents(_ names: Range<Int>) -> [AnalyticsEvent] {
    names.map { makeEvent("\($0)") }
}
