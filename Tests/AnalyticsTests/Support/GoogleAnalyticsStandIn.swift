internal import FoundationEssentials
internal import JSON
internal import TestSupport

/// Google Analytics with the limits of the Measurement Protocol, over a real socket. What the real one would ignore
/// without a word, this one refuses and remembers.
final class GoogleAnalyticsStandIn: Sendable {
    /// How it is today.
    enum Mood: Sendable, Hashable {
        case well
        case answering(status: Int, headers: String = "")
        /// Takes all but requests with an event of this name, by which it is brought down.
        case brokenBy(event: String)
        /// Reads requests and answers none.
        case hanging
        /// Reads a request and breaks the connection.
        case resetting
    }

    private struct State: Sendable {
        var mood = Mood.well
        var requests: [GoogleAnalyticsRequest] = []
        var asked = 0
        var faults: [String] = []
    }

    static let secret = "hush/s3cret+&"

    private let state = Observed(State())
    private let clock: ManualWallClock
    private let upstream: ScriptedUpstream

    /// - Parameter clock: tells which events are too old.
    init(clock: ManualWallClock) {
        self.clock = clock
        let state = state
        upstream = ScriptedUpstream { connection in
            while let request = GoogleAnalyticsRequest(connection) {
                guard Self.answer(request, on: connection, state, clock) else { return }
            }
        }
    }

    var url: String { "\(upstream.url)mp/collect" }

    var mood: Mood {
        get { state.value.mood }
        set { state.update { $0.mood = newValue } }
    }

    /// The requests that were good and taken, in their order.
    var requests: [GoogleAnalyticsRequest] { state.value.requests }

    /// The names of all events that were taken.
    var names: [String] { requests.flatMap(\.names) }

    /// How many requests there were, however they ended.
    var asked: Int { state.value.asked }

    /// What was wrong with requests.
    var faults: [String] { state.value.faults }

    /// Returns as soon as so many events have been taken.
    func wait(events count: Int) async {
        await state.wait { $0.requests.reduce(0) { $0 + $1.events.count } >= count }
    }

    /// Returns as soon as there have been so many requests, however they ended.
    func wait(asked count: Int) async {
        await state.wait { $0.asked >= count }
    }

    func stop() {
        upstream.stop()
    }

    private static func mood(for request: GoogleAnalyticsRequest, _ mood: Mood) -> Mood {
        guard case .brokenBy(let event) = mood else { return mood }
        return request.names.contains(event) ? .answering(status: 500) : .well
    }

    /// Whether the connection goes on.
    private static func answer(
        _ request: GoogleAnalyticsRequest, on connection: UpstreamConnection, _ state: Observed<State>,
        _ clock: ManualWallClock
    ) -> Bool {
        let faults = request.faults(secret: secret, now: clock.now)
        let mood = state.update { state in
            state.asked += 1
            state.faults += faults
            let mood = Self.mood(for: request, state.mood)
            if mood == .well, faults.isEmpty { state.requests.append(request) }
            return mood
        }
        switch mood {
        case .well: connection.respond(status: faults.isEmpty ? "204 No Content" : "400 Bad Request")
        case .answering(let status, let headers): connection.respond(status: "\(status) X", headers: headers)
        case .brokenBy: break
        case .hanging: connection.waitForClose()
        case .resetting: connection.resetAtEnd()
        }
        return mood != .hanging && mood != .resetting
    }
}

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
