internal import Text

/// A path with parameters: `/products/{id}`.
///
/// A segment is either a literal, compared with the decoded segment of the request, or one parameter, which matches any
/// segment that is not empty. An invalid pattern is a programming error.
package struct RoutePattern: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    enum Segment: Sendable, Hashable {
        /// In UTF-8, since it is compared with the bytes of each request.
        case literal([UInt8])
        case parameter(String)
    }

    /// The pattern as written, by which metrics and logs name the route.
    package let description: String
    let segments: [Segment]

    /// Makes a pattern, which has to start with a slash.
    package init(_ text: String) {
        precondition(text.hasPrefix("/"), "a route's pattern starts with a slash: \(text)")
        description = text
        segments = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(Self.segment)
    }

    package init(stringLiteral text: StaticString) {
        self.init(text.description)
    }

    var isStatic: Bool {
        segments.allSatisfy { if case .literal = $0 { true } else { false } }
    }

    /// The parameters, if a path, as it came, matches this pattern. The path is split before it is decoded, so a `%2F`
    /// within an id is part of the id.
    func match(_ path: UnsafeRawBufferPointer) -> PathParameters? {
        guard unsafe path.first == UInt8(ascii: "/") else { return nil }
        var parameters = PathParameters()
        var start = 1
        for (number, segment) in segments.enumerated() {
            let end = unsafe Self.end(of: path, from: start)
            guard (end == path.count) == (number == segments.count - 1) else { return nil }
            let text = unsafe UnsafeRawBufferPointer(rebasing: path[start..<end])
            switch segment {
            case .literal(let literal):
                guard unsafe Self.isSame(text, literal) else { return nil }
            case .parameter(let name):
                guard text.count > 0, let value = unsafe PercentEncoding.decode(text) else { return nil }
                parameters.append(name, value)
            }
            start = end + 1
        }
        return parameters
    }

    private static func end(of path: UnsafeRawBufferPointer, from start: Int) -> Int {
        var end = start
        while end < path.count, unsafe path[end] != UInt8(ascii: "/") { end += 1 }
        return end
    }

    private static func isSame(_ text: UnsafeRawBufferPointer, _ literal: [UInt8]) -> Bool {
        if unsafe text.count == literal.count && text.elementsEqual(literal) { return true }
        guard text.count <= 3 * literal.count, unsafe text.contains(UInt8(ascii: "%")) else { return false }
        return unsafe PercentEncoding.decode(text).map { $0.utf8.elementsEqual(literal) } ?? false
    }

    private static func segment(_ text: Substring) -> Segment {
        guard text.hasPrefix("{") else {
            precondition(!text.contains { "{}?#".contains($0) }, "not a segment of a route: \(text)")
            return .literal(Array(text.utf8))
        }
        let name = text.dropFirst().dropLast()
        precondition(text.hasSuffix("}") && !name.isEmpty, "not a parameter of a route: \(text)")
        return .parameter(String(name))
    }
}

/// The decoded values of a route's `{name}` segments in a request.
package struct PathParameters: Sendable, Hashable {
    private struct Parameter: Sendable, Hashable {
        let name: String
        let value: String
    }

    /// One array, not two: every request has it, and this keeps a request small enough for an existential without an
    /// allocation.
    private var all: [Parameter] = []

    package init() {}

    mutating func append(_ name: String, _ value: String) {
        all.append(Parameter(name: name, value: value))
    }

    /// The value of a parameter; `nil` if the pattern has none of this name.
    package subscript(name: String) -> String? {
        all.first { $0.name == name }?.value
    }
}
