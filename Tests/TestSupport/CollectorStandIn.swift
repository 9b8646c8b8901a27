package import JSON

/// A collector of telemetry over a real socket, which keeps what it is sent.
package final class CollectorStandIn: Sendable {
    /// A request as it came.
    package struct Request: Sendable {
        /// `traces`, `metrics` or `logs`.
        package let signal: String
        package let head: String
        package let body: JSONObject
        /// Whether it was answered by 200.
        package let isTaken: Bool

        /// The spans, metrics or lines.
        package var items: [JSONObject] {
            let resources = Self.arrays(in: body)
            let scopes = resources.flatMap(Self.arrays)
            return scopes.flatMap(Self.arrays)
        }

        /// The objects in the arrays of an object.
        private static func arrays(in object: JSONObject) -> [JSONObject] {
            var found: [JSONObject] = []
            for member in object.members { found += (member.value.array ?? []).compactMap(\.object) }
            return found
        }
    }

    package struct Answer: Sendable {
        package var status = 200
        package var headers = ""
        package var body = "{}"

        package init(_ status: Int = 200, headers: String = "", body: String = "{}") {
            (self.status, self.headers, self.body) = (status, headers, body)
        }
    }

    private struct State: Sendable {
        var answer = Answer()
        var isHanging = false
        var requests: [Request] = []
    }

    private let state = Observed(State())
    private let upstream: ScriptedUpstream

    package init() {
        let state = state
        upstream = ScriptedUpstream { connection in
            while let head = connection.readRequest() {
                let field = head.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
                let length = field?.split(separator: " ").last.flatMap { Int($0) } ?? 0
                guard let bytes = connection.readBytes(length), let body = try? JSONParser().parse(bytes).object else {
                    return
                }
                let line = head.prefix { $0 != "\r\n" }
                let signal = line.split(separator: " ")[1].split(separator: "/").last ?? ""
                let (answer, isHanging) = state.update { state in
                    state.requests.append(
                        Request(
                            signal: String(signal), head: head, body: body,
                            isTaken: state.answer.status == 200 && !state.isHanging))
                    return (state.answer, state.isHanging)
                }
                if isHanging { return connection.waitForClose() }
                connection.respond(status: "\(answer.status) X", headers: answer.headers, body: Array(answer.body.utf8))
            }
        }
    }

    /// Without a path.
    package var url: String { "http://127.0.0.1:\(upstream.port)" }

    /// The answer to each request.
    package var answer: Answer {
        get { state.value.answer }
        set { state.update { $0.answer = newValue } }
    }

    /// Whether requests are read and not answered.
    package var isHanging: Bool {
        get { state.value.isHanging }
        set { state.update { $0.isHanging = newValue } }
    }

    package var requests: [Request] { state.value.requests }

    /// The spans that were taken, in order.
    package var spans: [JSONObject] { items(of: "traces") }

    /// The metrics that were taken, in order.
    package var metrics: [JSONObject] { items(of: "metrics") }

    /// The lines of the log that were taken, in order.
    package var logs: [JSONObject] { items(of: "logs") }

    /// Returns as soon as so many spans are taken.
    package func wait(spans count: Int) async {
        await state.wait { state in
            state.requests.filter { $0.signal == "traces" && $0.isTaken }.flatMap(\.items).count >= count
        }
    }

    /// Returns as soon as so many requests have come, whatever their answers.
    package func wait(requests count: Int) async {
        await state.wait { $0.requests.count >= count }
    }

    package func stop() { upstream.stop() }

    private func items(of signal: String) -> [JSONObject] {
        requests.filter { $0.signal == signal && $0.isTaken }.flatMap(\.items)
    }
}

extension JSONObject {
    /// The attributes of a span or a point, as texts by name.
    package var attributes: [String: String] {
        let pairs = (self["attributes"]?.array ?? []).compactMap(\.object).map { attribute in
            (attribute["key"]?.string ?? "", attribute["value"]?.object?.members.first?.value.string ?? "")
        }
        return Dictionary(pairs) { first, _ in first }
    }
}
