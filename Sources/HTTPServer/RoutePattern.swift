/// A path with places for parameters: `/products/{id}`.
///
/// A segment is either a literal, compared with the decoded segment of the request, or one parameter, which takes any
/// segment that is not empty. A pattern that makes no sense is a mistake of the program and stops it.
public struct RoutePattern: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    enum Segment: Sendable, Hashable {
        case literal(String)
        case parameter(String)
    }

    /// The pattern as written, which is what metrics and logs call the route.
    public let description: String
    let segments: [Segment]

    /// A pattern; it starts with a slash.
    public init(_ text: String) {
        precondition(text.hasPrefix("/"), "a route's pattern starts with a slash: \(text)")
        description = text
        segments = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(Self.segment)
    }

    /// A pattern known when the program is written.
    public init(stringLiteral text: StaticString) {
        self.init(text.description)
    }

    var isStatic: Bool {
        segments.allSatisfy { if case .literal = $0 { true } else { false } }
    }

    /// The parameters, if these decoded segments are of this pattern.
    func match(_ path: [String]) -> PathParameters? {
        guard path.count == segments.count else { return nil }
        var parameters = PathParameters()
        for (segment, text) in zip(segments, path) {
            switch segment {
            case .literal(let literal):
                guard literal == text else { return nil }
            case .parameter(let name):
                guard !text.isEmpty else { return nil }
                parameters.append(name, text)
            }
        }
        return parameters
    }

    private static func segment(_ text: Substring) -> Segment {
        guard text.hasPrefix("{") else {
            precondition(!text.contains { "{}?#".contains($0) }, "not a segment of a route: \(text)")
            return .literal(String(text))
        }
        let name = text.dropFirst().dropLast()
        precondition(text.hasSuffix("}") && !name.isEmpty, "not a parameter of a route: \(text)")
        return .parameter(String(name))
    }
}
