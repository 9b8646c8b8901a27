public import HTTPServer

/// Why the service could not be started.
public enum StartError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A port cannot be had; carries the key of the config that names its address.
    case port(key: String, HTTPServerError)

    /// One line for an operator.
    public var description: String {
        switch self {
        case .port(let key, let error): "\(key): \(error)"
        }
    }
}
