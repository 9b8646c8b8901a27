internal import Concurrency
internal import Text

/// Picks the handler of a request by path and method.
///
/// Static patterns win over ones with parameters; among these, the first wins. A known path without the method gets a
/// 405 with `Allow`; an unknown path, or one of over a KiB, a 404; an unknown method a 501; a path that cannot be
/// decoded a 400. OPTIONS gets `Allow`. GET routes serve HEAD.
///
/// A path that equals a static pattern is found without an allocation.
package final class Router: HTTPPortHandler {
    package let routes: [Route]
    private let places: [Resource]
    private let templates: [Resource]
    private let serverOptions: HTTPResponse
    /// Observes the requests without a resource.
    private let unmatched: (any RouteObserver)?
    private static let notFound = ProblemDetails(status: .notFound, detail: "there is nothing at this path").response()
    private static let notImplemented = ProblemDetails(
        status: .notImplemented, detail: "this method is not known here"
    ).response()

    /// Makes a router.
    ///
    /// - Parameter observe: makes the observer of a pattern's requests or, for nil, of requests without a resource.
    ///   Called once for each.
    package init(_ routes: [Route], observing observe: ((RoutePattern?) -> any RouteObserver)? = nil) {
        self.routes = routes
        let resources = Self.resources(of: routes, observe)
        places = resources.filter(\.isStatic)
        templates = resources.filter { !$0.isStatic }
        serverOptions = HTTPResponse(status: .noContent, headers: AllowedMethods.header(for: routes.map(\.method)))
        unmatched = observe?(nil)
    }

    /// The response of the matching route, or one of the router's own.
    package func respond(to request: HTTPRequest) throws -> EventualResponse {
        guard let unmatched else { return try respond(to: request, find(request)) }
        var observed = ObservedRequest(request, at: MonotonicTime.nanoseconds, by: unmatched)
        do {
            let found = try find(request)
            if let observer = found.resource?.observer { observed.observer = observer }
            let eventual = try respond(to: request, found)
            guard let status = eventual.status else { return eventual.reporting(to: observed) }
            observed.end(status)
            return eventual
        } catch {
            return .ready(try observed.end(with: error))
        }
    }

    package func fields(for refused: HTTPRefusedRequest) -> HTTPHeaderBlock { HTTPHeaderBlock() }

    package func bodyLimit(of head: HTTPRequest) -> Int {
        guard let found = try? find(head), let resource = found.resource else { return 0 }
        var head = head
        head.pathParameters = found.parameters
        return resource.bodyLimit(of: head)
    }

    private func respond(to request: HTTPRequest, _ found: Found) throws -> EventualResponse {
        guard request.method != .other else { return .ready(Self.notImplemented) }
        if let resource = found.resource {
            if resource.isStatic { return try resource.respond(to: request) }
            var request = request
            request.pathParameters = found.parameters
            return try resource.respond(to: request)
        }
        return .ready(request.method == .options && request.hasRawPath("*".utf8) ? serverOptions : Self.notFound)
    }

    private struct Found {
        var resource: Resource?
        var parameters = PathParameters()
    }

    /// A path without escapes matches a static pattern only if it equals it.
    private func find(_ request: HTTPRequest) throws(HTTPRequestError) -> Found {
        if request.isPathTooLong { return Found() }
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

    private static func resources(
        of routes: [Route], _ observe: ((RoutePattern?) -> any RouteObserver)?
    ) -> [Resource] {
        var patterns: [RoutePattern] = []
        for route in routes where !patterns.contains(route.pattern) { patterns.append(route.pattern) }
        return patterns.map { pattern in
            Resource(pattern, routes.filter { $0.pattern == pattern }, observer: observe?(pattern))
        }
    }
}

/// A handler with its method and pattern.
package struct Route: Sendable {
    /// The method; a `get` route serves HEAD as well.
    package let method: HTTPMethod
    package let pattern: RoutePattern
    package let handler: any HTTPHandler
    /// See `HTTPPortHandler.bodyLimit(of:)`.
    let bodyLimit: @Sendable (HTTPRequest) -> Int

    /// - Parameter bodyLimit: by default the route takes no bodies.
    package init(
        _ method: HTTPMethod, _ pattern: RoutePattern, _ handler: some HTTPHandler,
        bodyLimit: @escaping @Sendable (HTTPRequest) -> Int = { _ in 0 }
    ) {
        precondition(method != .other, "a route needs a method that is known")
        self.method = method
        self.pattern = pattern
        self.handler = handler
        self.bodyLimit = bodyLimit
    }
}

/// All routes of one pattern, with the responses that follow from their methods.
///
/// A class, since each request gets one, and a value would be copied part by part.
final class Resource: Sendable {
    let pattern: RoutePattern
    let isStatic: Bool
    /// Observes every request for the resource.
    let observer: (any RouteObserver)?
    private let methods: [HTTPMethod]
    /// One for each method.
    private let handlers: [any HTTPHandler]
    private let bodyLimits: [HTTPMethod: @Sendable (HTTPRequest) -> Int]
    private let methodNotAllowed: HTTPResponse
    private let options: HTTPResponse

    init(_ pattern: RoutePattern, _ routes: [Route], observer: (any RouteObserver)?) {
        self.pattern = pattern
        self.observer = observer
        isStatic = pattern.isStatic
        (methods, handlers) = (routes.map(\.method), routes.map(\.handler))
        bodyLimits = Dictionary(routes.map { ($0.method, $0.bodyLimit) }) { first, _ in first }
        let allow = AllowedMethods.header(for: routes.map(\.method))
        let names = AllowedMethods.names(for: routes.map(\.method))
        methodNotAllowed = ProblemDetails(
            status: .methodNotAllowed, detail: "this resource takes \(WordList.enumeration(names))"
        ).response(headers: allow)
        options = HTTPResponse(status: .noContent, headers: allow)
    }

    func respond(to request: HTTPRequest) throws -> EventualResponse {
        if let place = place(of: request.method) { return try handlers[place].respond(to: request) }
        return .ready(request.method == .options ? options : methodNotAllowed)
    }

    func bodyLimit(of head: HTTPRequest) -> Int { bodyLimits[head.method]?(head) ?? 0 }

    private func place(of method: HTTPMethod) -> Int? {
        if let own = methods.firstIndex(of: method) { return own }
        return method == .head ? place(of: .get) : nil
    }
}

/// The `Allow` field: HEAD goes with GET, and OPTIONS with everything.
enum AllowedMethods {
    static func names(for methods: some Sequence<HTTPMethod>) -> [String] {
        var all = Set(methods)
        if all.contains(.get) { all.insert(.head) }
        all.insert(.options)
        return HTTPMethod.allCases.filter(all.contains).map(\.description)
    }

    static func header(for methods: some Sequence<HTTPMethod>) -> HTTPHeaderBlock {
        var header = HTTPHeaderBlock()
        header.appendTrusted("Allow", names(for: methods).joined(separator: ", "))
        return header
    }
}
