/// A whole answer of an upstream, whatever its status; after redirects, the last one.
public struct HTTPClientResponse: Sendable, Hashable {
    /// 200 to 599; whatever the upstream said.
    public let status: Int
    /// Without trailers, and of the last response only.
    public let headers: HTTPHeaders
    /// Unpacked where the status is 2xx.
    public let body: [UInt8]

    /// Creates a response.
    public init(status: Int, headers: HTTPHeaders = HTTPHeaders([]), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
