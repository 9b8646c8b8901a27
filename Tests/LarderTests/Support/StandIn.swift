import FoundationEssentials
import JSON
import TestSupport

/// A server that answers from a recording, page by page, and fails or dies when a test says so.
final class StandIn: Sendable {
    private struct State {
        var items: [JSONValue]
        var isDown = false
        var isDoomed = false
        var isDying = false
        var deaths = 0
    }

    private let upstream: ScriptedUpstream
    private let state: Shared<State>

    /// Starts to serve.
    ///
    /// - Parameters:
    ///   - skipped: the number of items at the start that the shop does not have until it is doomed.
    ///   - ignored: parameters that the shop does not heed.
    init(_ recording: Recording, skipping skipped: Int = 0, ignoring ignored: Set<String> = []) {
        let state = Shared(State(items: Array(recording.items.dropFirst(skipped))))
        self.state = state
        upstream = ScriptedUpstream { connection in
            while let head = connection.readRequest() {
                let request = StandInRequest(head: head, ignoring: ignored)
                guard Self.serve(request, of: recording, state, on: connection) else { return }
            }
        }
    }

    /// The base URL for the config.
    var url: String { "http://127.0.0.1:\(upstream.port)" }

    var requestHeads: [String] { upstream.requestHeads }

    /// The number of answers in whose middle it died.
    var deaths: Int { state.withLock(\.deaths) }

    /// Answers every request with 503, or ends that.
    func turn(down isDown: Bool) {
        state.withLock { $0.isDown = isDown }
    }

    /// Offers all items from the next read of the first page on, and dies in the middle of each second page, or of the
    /// only one. A reader that is beyond the first page gets to the end.
    func doom() {
        state.withLock { $0.isDoomed = true }
    }

    /// Ends the dying.
    func revive() {
        state.withLock { $0.isDying = false }
    }

    func close() {
        upstream.stop()
    }

    /// - Returns: whether the connection goes on.
    private static func serve(
        _ request: StandInRequest, of recording: Recording, _ state: Shared<State>, on connection: UpstreamConnection
    ) -> Bool {
        let page = recording.page(of: request)
        let (items, isDown, isDying) = state.withLock { state in
            if state.isDoomed, page?.start == 0 {
                (state.items, state.isDoomed, state.isDying) = (recording.items, false, true)
            }
            return (state.items, state.isDown, state.isDying)
        }
        let answer: Answer =
            isDown ? ("503 Service Unavailable", "", "{}") : recording.answer(to: request, page: page, items: items)
        let body = Array(answer.body.utf8)
        let headers = "Content-Type: application/json; charset=utf-8\r\n" + answer.headers
        guard isDying, let page, recording.paging == nil || page.start == page.size else {
            connection.respond(status: answer.status, headers: headers, body: body)
            return true
        }
        connection.write("HTTP/1.1 \(answer.status)\r\nContent-Length: \(body.count)\r\n\(headers)\r\n")
        connection.write(Array(body.prefix(body.count / 2)))
        state.withLock { $0.deaths += 1 }
        return false
    }
}

typealias Answer = (status: String, headers: String, body: String)

/// A request as a stand-in reads it, with header names in lower case.
struct StandInRequest {
    let method: String
    let path: String
    let parameters: [String: String]
    let headers: [String: String]

    init(head: String, ignoring ignored: Set<String> = []) {
        let lines = head.split(separator: "\r\n")
        let words = (lines.first ?? "").split(separator: " ")
        let target = words.count > 1 ? words[1].replacing("+", with: "%20") : ""
        method = String(words.first ?? "")
        let url = URLComponents(string: String(target))
        path = url?.path ?? ""
        let items = (url?.queryItems ?? []).filter { !ignored.contains($0.name) }
        parameters = Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
        let fields = lines.dropFirst().map { $0.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false) }
        headers = Dictionary(fields.map { ($0[0].lowercased(), String($0[1].drop { $0 == " " })) }) { $1 }
    }

    /// The names in a parameter, which commas separate.
    func names(_ parameter: String?) -> Set<String>? {
        parameter.flatMap { parameters[$0] }.map { Set($0.split(separator: ",").map(String.init)) }
    }
}

extension Recording {
    /// The place and the size of the page that a request wants; nil for a request that the recording does not answer.
    fileprivate func page(of request: StandInRequest) -> (start: Int, size: Int)? {
        let place = paging.flatMap { request.parameters[$0.parameter] }
        // A cursor stands for the filters, and must not be sent beside them.
        let isContinued = paging?.by == .link && place != nil
        guard parameters.allSatisfy({ request.parameters[$0.key] == (isContinued ? nil : $0.value) }) else {
            return nil
        }
        guard let paging else { return (0, items.count) }
        guard let size = Int(request.parameters[paging.size] ?? "\(paging.defaultSize)"),
            (1...paging.largestSize).contains(size),
            let number = Int((place ?? (paging.by == .page ? "1" : "0")).prefix { $0 != "=" })
        else { return nil }
        let start = paging.by == .page ? (number - 1) * size : number
        return start >= 0 ? (start, size) : nil
    }

    fileprivate func answer(
        to request: StandInRequest, page: (start: Int, size: Int)?, items: [JSONValue]
    ) -> Answer {
        guard request.path == path, request.method == "GET" else { return ("404 Not Found", "", "{}") }
        guard headers.allSatisfy({ request.headers[$0.key.lowercased()] == $0.value }) else {
            return ("401 Unauthorized", "", unauthorized)
        }
        guard let page else { return ("400 Bad Request", "", "{}") }
        let (start, size) = page
        let shown = items.dropFirst(start).prefix(size)
        let numbers = [
            "total": items.count, "count": shown.count, "size": size, "start": start, "number": start / size + 1,
            "pages": (items.count + size - 1) / size,
        ]
        func filled(_ text: String) -> String {
            numbers.reduce(text) { text, number in
                text.replacing("\"$\(number.key)\"", with: "\(number.value)")
                    .replacing("$\(number.key)", with: "\(number.value)")
            }
        }
        let links = (paging?.links ?? [:]).compactMap { relation, query in
            let place = relation == "next" ? start + size : start - size
            guard items.indices.contains(place) else { return nil as String? }
            let at = paging?.by == .page ? place / size + 1 : place
            let target = "\(path)?\(filled(query).replacing("$at", with: "\(at)"))"
            return "<http://\(request.headers["host"] ?? "")\(target)>; rel=\"\(relation)\""
        }
        var lines = answerHeaders.map { "\($0.key): \(filled($0.value))\r\n" }.joined()
        if !links.isEmpty { lines += "Link: \(links.joined(separator: ", "))\r\n" }
        let (kept, dropped) = (request.names(self.kept), request.names(self.dropped) ?? [])
        let texts = shown.map { item in
            let members = (item.object?.members ?? []).filter { kept?.contains($0.key) ?? !dropped.contains($0.key) }
            return "\(JSONValue.object(JSONObject(members.map { ($0.key, $0.value) })))"
        }
        return ("200 OK", lines, filled(body).replacing("\"$items\"", with: "[\(texts.joined(separator: ","))]"))
    }
}
