internal import FoundationEssentials
internal import JSON

/// An event in the form of the Measurement Protocol, which is also its form in the spool.
struct GoogleAnalyticsEvent: Sendable, Hashable {
    /// Pseudonym that the event counts for.
    let clientID: String
    let name: String
    /// Microseconds since 1970.
    let timestamp: Int64
    /// The event as an element of a request's `events`.
    let json: [UInt8]

    private init(clientID: String, name: String, timestamp: Int64, body: JSONObject) {
        self.clientID = clientID
        self.name = name
        self.timestamp = timestamp
        json = JSONValue.object(body).encoded()
    }

    /// Translates an event; nil if its name would be ignored.
    ///
    /// - Parameter clientID: the client of events without a subject. A subject is its own client.
    init?(_ event: AnalyticsEvent, clientID: String) {
        guard GoogleAnalyticsName.event.problem(event.name) == nil else { return nil }
        let subject = event.subject.flatMap { $0.isEmpty ? nil : $0 }
        let parameters = event.parameters.members
            .filter { GoogleAnalyticsName.parameter.problem($0.key) == nil }
            .compactMap { member in Self.value(member.value).map { (member.key, $0) } }
        let timestamp = Self.microseconds(event.timestamp)
        self.init(
            clientID: subject ?? clientID, name: event.name, timestamp: timestamp,
            body: [
                "name": .string(event.name), "timestamp_micros": .number(JSONNumber(timestamp)),
                "params": .object(JSONObject(parameters.prefix(GoogleAnalyticsLimits.parameters))),
            ])
    }

    /// Reads a line of the spool; nil when it is damaged.
    init?(line: some Collection<UInt8>) {
        guard let object = try? JSONParser().parse(Array(line)).object,
            let clientID = object["client_id"]?.string, let body = object["event"]?.object,
            let name = body["name"]?.string,
            let timestamp = body["timestamp_micros"]?.number?.integer
        else { return nil }
        self.init(clientID: clientID, name: name, timestamp: Int64(timestamp), body: body)
    }

    /// The event as a line of the spool: `{"client_id":"…","event":{…}}`, with its line end.
    var line: [UInt8] { Self.head(clientID) + Array(#","event":"#.utf8) + json + Array("}\n".utf8) }

    /// The beginning of a line and of a request's body.
    fileprivate static func head(_ clientID: String) -> [UInt8] {
        Array(#"{"client_id":"#.utf8) + JSONValue.string(clientID).encoded()
    }

    static func microseconds(_ date: Date) -> Int64 { Int64((date.timeIntervalSince1970 * 1_000_000).rounded()) }

    /// A number or a text, the only types that the protocol has.
    private static func value(_ value: JSONValue) -> JSONValue? {
        switch value {
        case .null: return nil
        case .number: return value
        case .string(let text): return .string(GoogleAnalyticsLimits.cut(text))
        case .bool, .array, .object: return .string(GoogleAnalyticsLimits.cut(value.description))
        }
    }
}

/// The events of one request: all of one client, as many as the limits allow.
struct GoogleAnalyticsPack: Sendable, Hashable {
    let clientID: String
    private(set) var events: [GoogleAnalyticsEvent] = []

    /// Divides events into packs, in the order in which their clients appear.
    ///
    /// - Returns: the packs, and the number of events that are too large for a pack.
    static func packing(_ events: [GoogleAnalyticsEvent]) -> (packs: [GoogleAnalyticsPack], tooLarge: Int) {
        var packs: [GoogleAnalyticsPack] = []
        var open: [String: Int] = [:]
        var tooLarge = 0
        for event in events {
            if let index = open[event.clientID], packs[index].add(event) { continue }
            var pack = GoogleAnalyticsPack(clientID: event.clientID)
            guard pack.add(event) else {
                tooLarge += 1
                continue
            }
            open[event.clientID] = packs.count
            packs.append(pack)
        }
        return (packs, tooLarge)
    }

    var body: [UInt8] {
        GoogleAnalyticsEvent.head(clientID) + Array(#","events":["#.utf8)
            + events.map(\.json).joined(separator: [UInt8(ascii: ",")]) + Array("]}".utf8)
    }

    private mutating func add(_ event: GoogleAnalyticsEvent) -> Bool {
        guard events.count < GoogleAnalyticsLimits.events else { return false }
        events.append(event)
        if body.count <= GoogleAnalyticsLimits.bytes { return true }
        events.removeLast()
        return false
    }
}
