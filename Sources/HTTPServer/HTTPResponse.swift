/// What goes back to the client.
///
/// `Date`, `Content-Length` and `Connection` are added when it is sent. The body is left out by the server where the
/// protocol wants it so: in answers to HEAD, which still carry its length, and in 204 and 304.
public struct HTTPResponse: Sendable {
    /// The status line.
    public var status: HTTPStatus
    /// The fields, ready to be sent.
    public var headers: HTTPHeaderBlock
    /// The bytes after the head.
    public var body: HTTPBody
    /// Whether the connection ends with this response although the client would go on.
    public var closesConnection: Bool
    /// How much of it is sent.
    public var delivery = HTTPDelivery.whole

    /// A response; without a body unless one is given.
    public init(
        status: HTTPStatus, headers: HTTPHeaderBlock = HTTPHeaderBlock(), body: HTTPBody = .empty,
        closesConnection: Bool = false
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.closesConnection = closesConnection
    }
}
