internal import FoundationEssentials
internal import JSON
internal import TestSupport

/// A request as it came to the stand-in.
struct GoogleAnalyticsRequest: Sendable, Hashable {
    let head: String
    let body: [UInt8]
    let clientID: String?
    let events: [JSONObject]

    init(head: String, body: [UInt8]) {
        let object = try? JSONParser().parse(body).object
        self.head = head
        self.body = body
        clientID = object?["client_id"]?.string
        events = object?["events"]?.array?.compactMap(\.object) ?? []
    }

    /// Reads the next one; nil when there is none.
    init?(_ connection: UpstreamConnection) {
        guard let head = connection.readRequest() else { return nil }
        let line = head.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
        let length = line?.split(separator: " ").last.flatMap { Int($0) } ?? 0
        guard let body = connection.readBytes(length) else { return nil }
        self.init(head: head, body: body)
    }

    var names: [String] { events.map { $0["name"]?.string ?? "" } }

    /// Everything by which the request breaks the rules of the protocol.
    func faults(secret: String, now: Date) -> [String] {
        let encoded = secret.utf8.map { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                ? String(decoding: [byte], as: UTF8.self) : "%" + String(byte, radix: 16, uppercase: true)
        }.joined()
        let target = "POST /mp/collect?measurement_id=G-TEST1&api_secret=\(encoded) HTTP/1.1\r\n"
        let rules: [(Bool, String)] = [
            (head.hasPrefix(target), "wrong method, path, stream or secret"),
            (head.lowercased().contains("\r\ncontent-type: application/json\r\n"), "wrong content type"),
            (body.count <= 130_000, "\(body.count) bytes"),
            (clientID?.isEmpty == false, "no client id"),
            ((1...25).contains(events.count), "\(events.count) events"),
        ]
        return rules.filter { !$0.0 }.map(\.1) + events.flatMap { faults(of: $0, now: now) }
    }

    private func faults(of event: JSONObject, now: Date) -> [String] {
        let parameters = event["params"]?.object?.members ?? []
        let age = now.timeIntervalSince1970 - (event["timestamp_micros"]?.number?.double ?? 0) / 1_000_000
        let rules: [(Bool, String)] = [
            (Self.isName(event["name"]?.string), "event \(event["name"]?.string ?? "without a name")"),
            (parameters.count <= 25, "\(parameters.count) parameters"),
            (age <= 72 * 3600, "an event of \(Int(age / 3600)) hours ago"),
            (parameters.allSatisfy { Self.isName($0.key) }, "name of a parameter"),
            (parameters.allSatisfy { ($0.value.string?.utf16.count ?? 0) <= 100 }, "value of a parameter"),
            (parameters.allSatisfy { $0.value.string != nil || $0.value.number != nil }, "type of a parameter"),
        ]
        return rules.filter { !$0.0 }.map(\.1)
    }

    private static func isName(_ name: String?) -> Bool {
        guard let name, name.wholeMatch(of: /[A-Za-z][A-Za-z0-9_]{0,39}/) != nil else { return false }
        return ["ga_", "google_", "firebase_"].allSatisfy { !name.hasPrefix($0) }
    }
}
