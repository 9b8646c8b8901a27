/// Why a server could not be started.
public enum HTTPServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Somebody listens there, perhaps another process of this very program.
    case addressInUse(HTTPAddress)
    /// Ports below 1024 are not for everybody.
    case permissionDenied(HTTPAddress)
    /// The host is not a literal and no name the resolver knows; carries the resolver's words.
    case unresolvable(HTTPAddress, reason: String)
    /// The machine has no such address.
    case addressUnavailable(HTTPAddress)
    /// The system refused for another reason; carries its words.
    case refused(HTTPAddress, reason: String)
    /// No memory or descriptor is left for a server.
    case noResources
    /// A server starts once.
    case alreadyStarted

    /// One line for an operator.
    public var description: String {
        switch self {
        case .addressInUse(let address): "cannot listen on \(address): the address is in use"
        case .permissionDenied(let address): "cannot listen on \(address): permission denied"
        case .unresolvable(let address, let reason): "cannot listen on \(address): \(reason)"
        case .addressUnavailable(let address): "cannot listen on \(address): this machine has no such address"
        case .refused(let address, let reason): "cannot listen on \(address): \(reason)"
        case .noResources: "cannot make a server: no memory or too many open files"
        case .alreadyStarted: "the server was started before"
        }
    }
}
