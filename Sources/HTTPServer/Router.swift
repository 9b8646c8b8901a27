/// A handler that picks the handler by path and method.
///
/// Static patterns win over ones with parameters, and among these the first. Where a path is known but the method is
/// not served there the answer is 405 with `Allow`; OPTIONS is answered with `Allow`; a path that is not known is 404,
/// a method that is not known 501, a path that cannot be decoded 400. GET routes serve HEAD.
///
/// A path that equals a static pattern is found without an allocation.
public struct Router: HTTPHandler {
    /// What it was made of.
    public let routes: [Route]
    private let places: [Resource]
    private let templates: [Resource]
    private let serverOptions: HTTPResponse
    private let observer: (any RouteObserver)?
    private static let notFound = ProblemDetails(status: .notFound).response()
    private static let notImplemented = ProblemDetails(status: .notImplemented).response()

    /// A router of these routes.
    public init(_ routes: [Route], observer: (any RouteObserver)? = nil) {
        self.routes = routes
        let resources = Self.resources(of: routes)
        places = resources.filter(\.isStatic)
        templates = resources.filter { !$0.isStatic }
        serverOptions = HTTPResponse(status: .noContent, headers: AllowedMethods.header(for: routes.map(\.method)))
        self.observer = observer
    }

    /// The matching route's answer, or one of the router's own.
    public func answer(to request: HTTPRequest) throws -> HTTPAnswer {
        guard let observer else { return try answer(request, find(request)) }
        let start = ContinuousClock.now
        var route: RoutePattern?
        do {
            let found = try find(request)
            route = found.resource?.pattern
            return try answer(request, found).noted { [route] outcome in
                observer.answered(request, route: route, outcome: outcome, duration: .now - start)
            }
        } catch {
            observer.answered(request, route: route, outcome: .failure(error), duration: .now - start)
            throw error
        }
    }

    private func answer(_ request: HTTPRequest, _ found: Found) throws -> HTTPAnswer {
        guard request.method != .other else { return .ready(Self.notImplemented) }
        if let resource = found.resource {
            var request = request
            request.pathParameters = found.parameters
            return try resource.answer(to: request)
        }
        return .ready(request.method == .options && request.hasRawPath("*".utf8) ? serverOptions : Self.notFound)
    }

    private struct Found {
        var resource: Resource?
        var parameters = PathParameters()
    }

    /// A path without escapes is of a static pattern only if it is that pattern.
    private func find(_ request: HTTPRequest) throws(HTTPRequestError) -> Found {
        for place in places where request.hasRawPath(place.pattern.description.utf8) {
            return Found(resource: place)
        }
        if request.isPathPlain { return first(of: templates, for: request) ?? Found() }
        _ = try request.path
        return first(of: places, for: request) ?? first(of: templates, for: request) ?? Found()
    }

    private func first(of resources: [Resource], for request: HTTPRequest) -> Found? {
        for resource in resources {
            if let parameters = request.parameters(of: resource.pattern) {
                return Found(resource: resource, parameters: parameters)
            }
        }
        return nil
    }

    private static func resources(of routes: [Route]) -> [Resource] {
        var patterns: [RoutePattern] = []
        for route in routes where !patterns.contains(route.pattern) { patterns.append(route.pattern) }
        return patterns.map { pattern in Resource(pattern, routes.filter { $0.pattern == pattern }) }
    }
}
