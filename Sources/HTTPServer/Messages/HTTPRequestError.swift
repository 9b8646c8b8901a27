internal import Text

/// Errors in a target that was received whole.
package enum HTTPRequestError: HTTPResponseError, Sendable, Hashable, CustomStringConvertible {
    /// The path has a broken `%` escape, or does not decode to text.
    case malformedPath(String)
    /// An item of the query, as it came, has a broken `%` escape or does not decode to text.
    case malformedQueryItem(String)

    /// Shown to the client: contains only what the client sent.
    package var description: String {
        switch self {
        case .malformedPath(let path): "the path \(TextExcerpt(path)) \(PercentEncoding.fault(in: path))"
        case .malformedQueryItem(let item): "the query item \(TextExcerpt(item)) \(PercentEncoding.fault(in: item))"
        }
    }

    /// A 400 with what could not be decoded, and where.
    package var response: HTTPResponse {
        ProblemDetails(status: .badRequest, detail: description, parameter: parameter).response()
    }

    /// The name of the query parameter, if only its value cannot be decoded.
    private var parameter: String? {
        guard case .malformedQueryItem(let item) = self, let end = item.utf8.firstIndex(of: UInt8(ascii: "=")) else {
            return nil
        }
        return PercentEncoding.decode(item.utf8[..<end], plusIsSpace: true)
    }
}

/// One `name=value` of a query, decoded.
package struct HTTPQueryItem: Sendable, Hashable {
    /// The part before the first `=`.
    package var name: String
    /// The part after it; `nil` if there is none.
    package var value: String?

    package init(name: String, value: String? = nil) {
        self.name = name
        self.value = value
    }

    /// The item as in a link: all but commas and RFC 3986's unreserved characters percent-encoded.
    package var encoded: String {
        [name, value].compactMap { $0.map { PercentEncoding.component($0, keeping: ",") } }.joined(separator: "=")
    }
}
