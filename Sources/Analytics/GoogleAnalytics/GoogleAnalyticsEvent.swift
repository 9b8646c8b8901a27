internal import FoundationEssentials
internal import JSON

/// An event as Google Analytics is told of it, and as it waits in the spool.
struct GoogleAnalyticsEvent: Sendable, Hashable {
    /// Whom the event is counted for.
    let clientID: String
    let name: String
    /// When it happened, in microseconds since 1970.
    let timestamp: Int64
    /// The event as an element of a request's `events`.
    let json: [UInt8]

    /// About how many bytes of memory it takes.
    var size: Int { json.count + clientID.utf8.count + name.utf8.count }

    private init(clientID: String, name: String, timestamp: Int64, body: JSONObject) {
        self.clientID = clientID
        self.name = name
        self.timestamp = timestamp
        var json: [UInt8] = []
        JSONWriter.append(body, to: &json)
        self.json = json
    }

    /// Nil when the event has a name that would be ignored.
    ///
    /// An event that has a subject, which is a pseudonym, is counted for that one.
    ///
    /// - Parameter clientID: whom other events are counted for.
    init?(_ event: AnalyticsEvent, clientID: String) {
        guard GoogleAnalyticsName.event.problem(event.name) == nil else { return nil }
        let subject = event.subject.flatMap { $0.isEmpty ? nil : $0 }
        let timestamp = Self.microseconds(event.timestamp)
        self.init(
            clientID: subject ?? clientID, name: event.name, timestamp: timestamp,
            body: [
                "name": .string(event.name), "timestamp_micros": .number(JSONNumber(timestamp)),
                "params": .object(Self.parameters(event.parameters)),
            ])
    }

    /// A moment as the protocol writes it.
    static func microseconds(_ date: Date) -> Int64 { Int64((date.timeIntervalSince1970 * 1_000_000).rounded()) }

    private static func parameters(_ parameters: JSONObject) -> JSONObject {
        let taken = parameters.members.filter { GoogleAnalyticsName.parameter.problem($0.key) == nil }
            .compactMap { member in value(member.value).map { (member.key, $0) } }
        return JSONObject(taken.prefix(GoogleAnalyticsLimits.parameters))
    }

    /// Numbers and texts are all that there is.
    private static func value(_ value: JSONValue) -> JSONValue? {
        switch value {
        case .null: return nil
        case .number: return value
        case .string(let text): return .string(GoogleAnalyticsLimits.cut(text))
        case .bool, .array, .object:
            var writer = JSONWriter()
            writer.write(value)
            return .string(GoogleAnalyticsLimits.cut(String(decoding: writer.bytes, as: UTF8.self)))
        }
    }
}

extension GoogleAnalyticsEvent {
    /// The event as a line of the spool: `{"client_id":"…","event":{…}}`, with its line end.
    var line: [UInt8] {
        var line = Array(#"{"client_id":"#.utf8)
        JSONWriter.append(clientID, to: &line)
        return line + Array(#","event":"#.utf8) + json + Array("}\n".utf8)
    }

    /// Reads a line of the spool; nil when it is none.
    init?(line: some Collection<UInt8>) {
        guard let object = try? JSONParser().parse(Array(line)).object,
            let clientID = object["client_id"]?.string, let body = object["event"]?.object,
            let name = body["name"]?.string,
            let timestamp = body["timestamp_micros"]?.number?.integer
        else { return nil }
        self.init(clientID: clientID, name: name, timestamp: Int64(timestamp), body: body)
    }
}
