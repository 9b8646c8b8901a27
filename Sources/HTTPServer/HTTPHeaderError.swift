/// Why a header field cannot be sent.
public enum HTTPHeaderError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name is empty or holds a character that is not allowed in a token.
    case invalidName(String)
    /// The value holds a control character, a line break among them.
    case invalidValue(name: String, value: String)
    /// The field frames the message or is made by the server: `Date`, `Content-Length`, `Transfer-Encoding`,
    /// `Connection`.
    case reserved(String)

    /// One line for a log.
    public var description: String {
        switch self {
        case .invalidName(let name): "header name \(name.debugDescription) is not a token"
        case .invalidValue(let name, let value):
            "value \(value.debugDescription) of header \(name) holds a control character"
        case .reserved(let name): "header \(name) is written by the server"
        }
    }
}
