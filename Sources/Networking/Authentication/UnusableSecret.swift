/// Why what a file holds cannot be a secret. The text itself is never part of it.
enum UnusableSecret: Error, Sendable, Hashable, CustomStringConvertible {
    case empty
    case notUTF8
    case notSendable
    case notBearerToken
    case tooLong(limit: Int)

    var description: String {
        switch self {
        case .empty: "the file is empty"
        case .notUTF8: "the file is not UTF-8 text"
        case .notSendable: "the file holds characters that cannot be sent in a header"
        case .notBearerToken: "the file holds characters that cannot be in a bearer token"
        case .tooLong(let limit): "the file is longer than \(limit) bytes"
        }
    }
}
