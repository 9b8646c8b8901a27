/// An error that knows what the client should be told.
public protocol HTTPResponseError: Error {
    /// Complete, and free of internals.
    var response: HTTPResponse { get }
}
