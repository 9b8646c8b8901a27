/// A handler that picks the handler by path and method.
///
/// Static patterns win over ones with parameters, and among these the first. Where a path is known but the method is
/// not served there the answer is 405 with `Allow`; OPTIONS is answered with `Allow`; a path that is not known is 404,
/// a method that is not known 501, a path that cannot be decoded 400. GET routes serve HEAD.
///
/// A path that equals a static pattern is found without an allocation.
public struct Router: HTTPHandler {
    private let places: [Resource]
    private let templates: [Resource]
    private let serverOptions: HTTPResponse
    private let observer: (any RouteObserver)?
    private static let notFound = ProblemDetails(status: .notFound).response()
    private static let notImplemented = ProblemDetails(status: .notImplemented).response()

    /// A router of these routes.
    public init(_ routes: [Route], observer: (any RouteObserver)? = nil) {
        let resources = Self.resources(of: routes)
        places = resources.filter(\.isStatic)
        templates = resources.filter { !$0.isStatic }
        serverOptions = HTTPResponse(status: .noContent, headers: AllowedMethods.header(for: routes.map(\.method)))
        self.observer = observer
    }

    /// The matching route's answer, or one of the router's own.
    public func respond(to request: HTTPRequest) async throws -> HTTPResponse {
        guard let observer else { return try await answer(request, find(request)) }
        let start = ContinuousClock.now
        var route: RoutePattern?
        do {
            let found = try find(request)
            route = found.resource?.pattern
            let response = try await answer(request, found)
            observer.answered(request, route: route, outcome: .success(response), duration: .now - start)
            return response
        } catch {
            observer.answered(request, route: route, outcome: .failure(error), duration: .now - start)
            throw error
        }
    }

    private func answer(_ request: HTTPRequest, _ found: Found) async throws -> HTTPResponse {
        guard request.method != .other else { return Self.notImplemented }
        if let resource = found.resource {
            var request = request
            request.pathParameters = found.parameters
            return try await resource.respond(to: request)
        }
        return request.method == .options && request.hasRawPath("*".utf8) ? serverOptions : Self.notFound
    }

    private struct Found {
        var resource: Resource?
        var parameters = PathParameters()
    }

    private func find(_ request: HTTPRequest) throws(HTTPRequestError) -> Found {
        for place in places where request.hasRawPath(place.pattern.description.utf8) {
            return Found(resource: place)
        }
        let path = request.rawPath
        guard path.hasPrefix("/") else { return Found() }
        guard let segments = decodedSegments(path) else { throw .malformedPath(path) }
        for resource in places + templates {
            if let parameters = resource.pattern.match(segments) {
                return Found(resource: resource, parameters: parameters)
            }
        }
        return Found()
    }

    /// Split first: a `%2F` within an id is a part of the id.
    private func decodedSegments(_ path: String) -> [String]? {
        var decoded: [String] = []
        for segment in path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let text = PercentEncoding.decode(segment) else { return nil }
            decoded.append(text)
        }
        return decoded
    }

    private static func resources(of routes: [Route]) -> [Resource] {
        var patterns: [RoutePattern] = []
        for route in routes where !patterns.contains(route.pattern) { patterns.append(route.pattern) }
        return patterns.map { pattern in Resource(pattern, routes.filter { $0.pattern == pattern }) }
    }
}
