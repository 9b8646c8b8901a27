internal import HTTPServer

/// `PUT /_fault?mode=…` switches a fault on, `GET /_fault` tells which one is.
struct PracticeFaultHandler: HTTPHandler {
    let shelf: PracticeShelf

    func answer(to request: HTTPRequest) throws -> HTTPAnswer {
        if request.method == .put { shelf.fault = try fault(of: request) }
        return .ready(
            HTTPResponse(
                status: .ok, headers: ["Content-Type": "application/json"],
                body: HTTPBody(text: "{\"mode\":\"\(shelf.fault.mode)\",\"requests\":\(shelf.requests)}\n")))
    }

    private func fault(of request: HTTPRequest) throws -> PracticeFault {
        let mode = try request.queryItems.first { $0.name == "mode" }?.value ?? ""
        guard let fault = PracticeFault(mode: mode) else {
            throw ProblemDetails(status: .badRequest, detail: "mode is one of: \(PracticeFault.modes)")
        }
        return fault
    }
}
