public import HTTPServer

/// Why the service could not be started.
public enum StartError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A port cannot be had; carries the key of the config that names its address.
    case port(key: String, HTTPServerError)
    /// The libevent that runs is older than what will do.
    case libevent(found: String, oldest: String)

    /// One line for an operator.
    public var description: String {
        switch self {
        case .port(let key, let error): "\(key): \(error)"
        case .libevent(let found, let oldest): "libevent \(found) is too old: it takes \(oldest) or a newer one"
        }
    }
}
