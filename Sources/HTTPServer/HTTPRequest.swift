internal import CEventShim

/// A request without a body, as it was received.
///
/// The bytes were copied out of the connection once; text is made of them only where it is asked for. Copies share the
/// bytes.
public struct HTTPRequest: @unchecked Sendable {
    /// What the client wants done.
    public let method: HTTPMethod
    /// Whether so many others wait for their answers that this one is refused unless its answer is at hand.
    public let isExcess: Bool
    /// What the `{name}` segments of the route stand for.
    public var pathParameters = PathParameters()
    let storage: HTTPRequestStorage

    /// A request for tests.
    ///
    /// - Parameter target: path and query as on the request line, so percent-encoded.
    public init(
        method: HTTPMethod = .get, target: String, headers: [(String, String)] = [], peer: String = "127.0.0.1",
        pathParameters: PathParameters = PathParameters(), isExcess: Bool = false
    ) {
        self.method = method
        self.isExcess = isExcess
        self.pathParameters = pathParameters
        storage = HTTPRequestStorage.make(target: target, headers: headers, peer: peer)
    }

    /// - Parameter server: what no other server has; see ``RequestSerial``.
    init(copying request: OpaquePointer, _ head: larder_head, server: UInt64) {
        method = HTTPMethod(head.method)
        isExcess = head.is_excess != 0
        unsafe storage = HTTPRequestStorage.copy(request, head, server: server)
    }

    /// What no other request has; all zeros for one of a test.
    public var serial: RequestSerial { storage.layout.serial }

    /// Path and query as they came, percent-encoded.
    public var target: String {
        unsafe storage.withTarget { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// The path as it came, percent-encoded, without the query.
    public var rawPath: String {
        unsafe storage.withPath { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// The client's address without its port.
    public var peer: String {
        unsafe storage.withPeer { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// Whether the path came as exactly these bytes; allocates nothing.
    public func hasRawPath(_ path: String.UTF8View) -> Bool {
        unsafe storage.withPath { own in
            guard own.count == path.count else { return false }
            let span = path.span
            for index in span.indices where unsafe own[index] != span[index] { return false }
            return true
        }
    }
}
