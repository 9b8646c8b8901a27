/// Every route of one pattern, with the answers that follow from which there are.
///
/// A class, because each request is handed one, and a value would be copied part by part.
final class Resource: Sendable {
    let pattern: RoutePattern
    let isStatic: Bool
    /// Hears of every request for it.
    let observer: (any RouteObserver)?
    private let handlers: [(method: HTTPMethod, handler: any HTTPHandler)]
    private let methodNotAllowed: HTTPResponse
    private let options: HTTPResponse

    init(_ pattern: RoutePattern, _ routes: [Route], observer: (any RouteObserver)?) {
        self.pattern = pattern
        self.observer = observer
        isStatic = pattern.isStatic
        handlers = routes.map { ($0.method, $0.handler) }
        let allow = AllowedMethods.header(for: routes.map(\.method))
        methodNotAllowed = ProblemDetails(status: .methodNotAllowed).response(headers: allow)
        options = HTTPResponse(status: .noContent, headers: allow)
    }

    func answer(to request: HTTPRequest) throws -> HTTPAnswer {
        if let handler = handler(for: request.method) { return try handler.answer(to: request) }
        return .ready(request.method == .options ? options : methodNotAllowed)
    }

    private func handler(for method: HTTPMethod) -> (any HTTPHandler)? {
        if let own = handlers.first(where: { $0.method == method }) { return own.handler }
        return method == .head ? handler(for: .get) : nil
    }
}
