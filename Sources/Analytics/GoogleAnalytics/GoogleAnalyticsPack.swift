internal import JSON

/// The events of one request: of one client, and as many as a request may hold.
struct GoogleAnalyticsPack: Sendable, Hashable {
    let clientID: String
    private(set) var events: [GoogleAnalyticsEvent] = []
    private var size: Int

    private init(clientID: String) {
        self.clientID = clientID
        size = Self.head(clientID).count + Self.tail.count
    }

    /// Puts events into packs, in the order in which their clients appear. An event goes into the last pack of its
    /// client, or else begins another.
    ///
    /// - Returns: the packs, and how many events are too large for any.
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

    /// The request's body.
    var body: [UInt8] {
        var body = Self.head(clientID)
        body.reserveCapacity(size)
        for (index, event) in events.enumerated() {
            if index > 0 { body.append(UInt8(ascii: ",")) }
            body += event.json
        }
        return body + Self.tail
    }

    private mutating func add(_ event: GoogleAnalyticsEvent) -> Bool {
        let grown = size + event.json.count + (events.isEmpty ? 0 : 1)
        guard events.count < GoogleAnalyticsLimits.events, grown <= GoogleAnalyticsLimits.bytes else { return false }
        events.append(event)
        size = grown
        return true
    }

    private static let tail = Array("]}".utf8)

    private static func head(_ clientID: String) -> [UInt8] {
        var head = Array(#"{"client_id":"#.utf8)
        JSONWriter.append(clientID, to: &head)
        return head + Array(#","events":["#.utf8)
    }
}
