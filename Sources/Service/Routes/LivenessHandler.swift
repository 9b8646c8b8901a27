internal import HTTPServer

/// `GET /livez`: 200 while the loop that answers turns. It depends on nothing else, because a restart helps nothing else.
struct LivenessHandler: HTTPHandler, HealthResponding {
    func answer(to request: HTTPRequest) -> HTTPAnswer {
        .ready(health(isGood: true, "ok\n"))
    }
}
