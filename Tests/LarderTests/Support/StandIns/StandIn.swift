import Concurrency
import TestSupport

/// A server that answers as a shop's API does, and can be told to die in the middle of an answer.
final class StandIn: Sendable {
    private struct State {
        var wares: [Ware]
        /// What comes onto the shelves with the next read, which is one that the shop does not survive.
        var fatalWares: [Ware]?
        var isDying = false
        var requests: [StandInRequest] = []
        var deaths = 0
    }

    let api: any ShopAPI
    private let upstream: ScriptedUpstream
    private let counter: Counter

    /// Opens the shop.
    /// - Parameter ignored: the parameters of a request that it does as if it had not seen.
    init(_ api: some ShopAPI, wares: [Ware] = Ware.stock(), ignoring ignored: Set<String> = []) {
        let counter = Counter(api, wares)
        self.api = api
        self.counter = counter
        upstream = ScriptedUpstream { connection in
            while let head = connection.readRequest(),
                counter.serve(StandInRequest(head: head, ignoring: ignored), on: connection)
            {}
        }
    }

    /// What the config has to be told as the API's base.
    var url: String { "http://127.0.0.1:\(upstream.port)" }

    /// The requests so far.
    var requests: [StandInRequest] { counter.state.withLock(\.requests) }

    /// How often it died so far.
    var deaths: Int { counter.state.withLock(\.deaths) }

    /// Puts other wares on the shelves, as soon as somebody begins to read the catalogue; who is in the middle of it
    /// gets to its end. From then on it dies in the middle of the second page, or of the first where that is all.
    func die(with wares: [Ware]) {
        counter.state.withLock { $0.fatalWares = wares }
    }

    /// Lives again.
    func revive() {
        counter.state.withLock { $0.isDying = false }
    }

    /// Closes the shop.
    func close() {
        upstream.stop()
    }

    /// What the connections share.
    private final class Counter: Sendable {
        let state: Mutex<State>
        private let api: any ShopAPI

        init(_ api: any ShopAPI, _ wares: [Ware]) {
            self.api = api
            state = Mutex(State(wares: wares))
        }

        /// - Returns: whether the connection goes on.
        func serve(_ request: StandInRequest, on connection: UpstreamConnection) -> Bool {
            let (wares, isDying) = state.withLock { state in
                state.requests.append(request)
                if let wares = state.fatalWares, api.answer(to: request, wares: wares).page == 1 {
                    (state.wares, state.fatalWares, state.isDying) = (wares, nil, true)
                }
                return (state.wares, state.isDying)
            }
            let answer = api.answer(to: request, wares: wares)
            let body = Array(answer.body.utf8)
            guard isDying, answer.page == (api.isPaged ? 2 : 1) else {
                connection.respond(status: answer.status, headers: answer.headerLines, body: body)
                return true
            }
            connection.write(
                "HTTP/1.1 \(answer.status)\r\nContent-Length: \(body.count)\r\n\(answer.headerLines)\r\n")
            connection.write(Array(body.prefix(body.count / 2)))
            state.withLock { $0.deaths += 1 }
            return false
        }
    }
}
