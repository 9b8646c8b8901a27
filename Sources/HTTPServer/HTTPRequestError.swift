/// What can be wrong with a target that was received whole.
public enum HTTPRequestError: HTTPResponseError, Sendable, Hashable, CustomStringConvertible {
    /// The path has a broken `%` escape, or stands for something that is not text.
    case malformedPath(String)
    /// So has this item of the query, given as it came.
    case malformedQueryItem(String)

    /// For the client: it holds nothing but what the client sent.
    public var description: String {
        switch self {
        case .malformedPath(let path): "the path \(path) \(PercentEncoding.fault(in: path))"
        case .malformedQueryItem(let item): "the query item \(item) \(PercentEncoding.fault(in: item))"
        }
    }

    /// A 400 that says what could not be decoded, and where.
    public var response: HTTPResponse {
        ProblemDetails(status: .badRequest, detail: description, parameter: parameter).response()
    }

    /// The name of the query parameter, if it is only the value that cannot be decoded.
    private var parameter: String? {
        guard case .malformedQueryItem(let item) = self, let end = item.utf8.firstIndex(of: UInt8(ascii: "=")) else {
            return nil
        }
        return PercentEncoding.decode(item.utf8[..<end], plusIsSpace: true)
    }
}
