/// What answers one method at one place.
public struct Route: Sendable {
    /// The method; a `get` route serves HEAD as well.
    public let method: HTTPMethod
    /// The place.
    public let pattern: RoutePattern
    /// Who answers.
    public let handler: any HTTPHandler

    /// A route.
    public init(_ method: HTTPMethod, _ pattern: RoutePattern, _ handler: some HTTPHandler) {
        precondition(method != .other, "a route needs a method that is known")
        self.method = method
        self.pattern = pattern
        self.handler = handler
    }
}
