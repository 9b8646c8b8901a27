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
