internal import HTTPServer

/// A route with what is said of it, so that there is none without.
struct DescribedRoute: Sendable {
    let place: DescribedPlace
    let route: Route

    init(_ method: HTTPMethod, _ pattern: RoutePattern, _ handler: some HTTPHandler, _ description: RouteDescription) {
        place = DescribedPlace(method: method, pattern: pattern, description: description)
        route = Route(method, pattern, handler)
    }
}
