internal import HTTPServer
internal import Products

/// `GET /livez`: 200 while the loop that answers turns. It depends on nothing else, because a restart helps nothing else.
struct LivenessHandler: HTTPHandler, HealthResponding {
    /// That this is answered at all.
    private static let turning = HealthCheck(name: "loop", aspects: [.init(name: "loop", status: .pass)])
    let wallClock: WallClock

    func answer(to request: HTTPRequest) throws -> HTTPAnswer {
        .ready(try health("livez", at: wallClock.now(), [Self.turning], for: request))
    }
}
