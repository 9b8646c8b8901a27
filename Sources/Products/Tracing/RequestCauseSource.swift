/// What can tell a request's cause, such as the client's request as it was received.
///
/// Most requests are answered from memory and nobody asks, so nothing is read until somebody does.
public protocol RequestCauseSource: Sendable {
    /// The cause: the same however often it is asked for.
    var cause: RequestCause { get }
}
