internal import HTTPServer

/// Where a route is, and what it does.
struct DescribedPlace: Sendable {
    let method: HTTPMethod
    let pattern: RoutePattern
    let description: RouteDescription

    /// The methods that a client may use there on account of the route, its own first.
    var methods: [HTTPMethod] { method == .get ? [.get, .head, .options] : [method, .options] }
}
