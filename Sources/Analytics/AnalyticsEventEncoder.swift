internal import FoundationEssentials
internal import JSON

/// One event as one line of JSON: `{"timestamp":"2026-01-31T12:00:00.123Z","event":"…","parameters":{…}}`.
enum AnalyticsEventEncoder {
    /// Appends the line, with its line end.
    static func append(_ event: AnalyticsEvent, to bytes: inout [UInt8]) {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let line: JSONObject = [
            "timestamp": .string(event.timestamp.formatted(style)),
            "event": .string(event.name),
            "parameters": .object(event.parameters),
        ]
        JSONWriter.append(line, to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
    }
}
