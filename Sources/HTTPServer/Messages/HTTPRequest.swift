internal import CEventShim
internal import Text

/// A request as it was received, with its whole body.
///
/// The bytes are copied out of the connection once, and become text only when it is read. Copies share the bytes.
package struct HTTPRequest: @unchecked Sendable {
    package let method: HTTPMethod
    /// The values of the `{name}` segments of the route.
    package var pathParameters = PathParameters()
    let storage: HTTPRequestStorage

    /// Makes a request that was not received, for tests or to examine a target.
    ///
    /// - Parameter target: path and query as on the request line, so percent-encoded.
    package init(
        method: HTTPMethod = .get, target: String, headers: [(String, String)] = [], peer: String = "127.0.0.1",
        body: [UInt8] = []
    ) {
        self.method = method
        storage = HTTPRequestStorage.make(target: target, headers: headers, peer: peer, body: body)
    }

    init(_ method: HTTPMethod, _ storage: HTTPRequestStorage) {
        (self.method, self.storage) = (method, storage)
    }

    /// - Parameter server: a number that no other server has; see ``RequestSerial``.
    init(copying request: OpaquePointer, _ head: larder_head, server: UInt64) {
        method = HTTPMethod(head.method)
        unsafe storage = HTTPRequestStorage.copy(request, head, server: server)
    }

    /// The globally unique number of the request; all zeros in a test.
    package var serial: RequestSerial { storage.layout.serial }

    /// Path and query as they came, percent-encoded.
    package var target: String {
        unsafe storage.withTarget { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// The path as it came, percent-encoded, without the query.
    package var rawPath: String {
        unsafe storage.withPath { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// The client's address: the one that a trusted proxy names, or the peer's.
    package var client: String { storage.layout.client.map { "\($0)" } ?? peer }

    /// The address of the other end of the connection, without its port.
    package var peer: String {
        unsafe storage.withPeer { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// The number by which the client's address is counted; one for each IPv4 address or IPv6 /64.
    package var network: UInt64 { storage.layout.network }

    /// The number of the credential that a handler has verified; nil before that, and without one. Copies share it.
    package var principal: UInt32? {
        get { storage.layout.principal }
        nonmutating set { newValue.map(storage.setPrincipal) }
    }

    /// Whether the other end of the connection is a trusted proxy that names its clients.
    var isProxied: Bool { storage.layout.isProxied }

    /// The decision about the trace of a caller that is not heeded; nil if the caller's counts. Copies share it.
    var isSampled: Bool? {
        get { storage.layout.isSampled }
        nonmutating set { storage.setSampled(newValue) }
    }

    /// The length of the body in bytes; 0 without one.
    package var bodySize: Int { storage.layout.bodySize }

    /// The body; empty without one.
    package var body: [UInt8] {
        unsafe storage.withBody { unsafe [UInt8]($0) }
    }

    /// Whether the path came as exactly these bytes; allocates nothing.
    package func hasRawPath(_ path: String.UTF8View) -> Bool {
        unsafe storage.withPath { own in
            guard own.count == path.count else { return false }
            let span = path.span
            for index in span.indices where unsafe own[index] != span[index] { return false }
            return true
        }
    }

    /// Whether the undecoded path equals one of these, or begins with one that ends in a slash.
    package func isBelow(_ paths: [String]) -> Bool {
        paths.contains { hasRawPath($0.utf8) || $0.hasSuffix("/") && rawPath.hasPrefix($0) }
    }

    /// The value of a field, whatever the case of its name; `nil` when there is none.
    ///
    /// Several fields of the name are one list, joined by a comma and a space, as RFC 9110 reads them.
    package func header(_ name: String) -> String? { header(name, reading: .max - 1) }

    /// The value of a field of preferences, such as `Accept`, cut after a limit.
    package func preferences(_ name: String) -> String? { header(name, reading: HeaderElements.mostPreferences) }

    /// The value of a field, cut one byte after `size` bytes.
    func header(_ name: String, reading size: Int) -> String? {
        var found: String?
        unsafe storage.forEachField { fieldName, value in
            guard unsafe HTTPRequest.isName(fieldName, name.utf8) else { return }
            let left = size + 1 - (found?.utf8.count ?? 0)
            guard left > 0 else { return }
            let start = unsafe UnsafeRawBufferPointer(rebasing: value.prefix(left))
            let text = unsafe String(decoding: start, as: UTF8.self)
            if found == nil {
                found = text
            } else {
                found?.append(", ")
                found?.append(text)
            }
        }
        return found
    }

    /// Whether the request has a condition, a field `If-…`. One pass for all of them, since most requests have none.
    package var isConditional: Bool {
        var isConditional = false
        unsafe storage.forEachField { name, _ in
            guard name.count > 3, unsafe name[2] == UInt8(ascii: "-") else { return }
            if unsafe name[0] | 0x20 == UInt8(ascii: "i") && name[1] | 0x20 == UInt8(ascii: "f") {
                isConditional = true
            }
        }
        return isConditional
    }

    private static let requestID = FieldName("x-request-id")
    private static let traceParent = FieldName("traceparent")

    /// Whether the request has `X-Request-Id` or `traceparent`. One pass for both, since most requests have neither.
    package var isCorrelated: Bool {
        var isCorrelated = false
        unsafe storage.forEachField { name, _ in
            if unsafe Self.requestID.matches(name) || Self.traceParent.matches(name) { isCorrelated = true }
        }
        return isCorrelated
    }

    private static func isName(_ field: UnsafeRawBufferPointer, _ name: String.UTF8View) -> Bool {
        guard field.count == name.count else { return false }
        let span = name.span
        for index in span.indices {
            guard unsafe HTTPSyntax.isSameLetter(field[index], span[index]) else { return false }
        }
        return true
    }

    /// The path decoded. A `%2F` becomes a slash here, so split before decoding where that matters.
    package var path: String {
        get throws(HTTPRequestError) {
            let decoded = unsafe storage.withPath { unsafe PercentEncoding.decode($0) }
            guard let decoded else { throw .malformedPath(rawPath) }
            return decoded
        }
    }

    package var hasQuery: Bool { storage.layout.pathSize < storage.layout.targetSize }

    /// The query as it came, without the question mark; `nil` when there is none.
    package var rawQuery: String? {
        let pathSize = storage.layout.pathSize
        return unsafe storage.withTarget { target in
            guard pathSize < target.count else { return nil }
            return unsafe String(decoding: target.dropFirst(pathSize + 1), as: UTF8.self)
        }
    }

    /// The items of the query in order, decoded, a plus as a space. Empty items (`a&&b`) are left out.
    package var queryItems: [HTTPQueryItem] {
        get throws(HTTPRequestError) {
            var items: [HTTPQueryItem] = []
            var rest = Substring(rawQuery ?? "").utf8
            while !rest.isEmpty {
                let item = rest.prefix { $0 != UInt8(ascii: "&") }
                if !item.isEmpty { items.append(try decodedItem(item)) }
                rest = rest[item.endIndex...].dropFirst()
            }
            return items
        }
    }

    private func decodedItem(_ item: Substring.UTF8View) throws(HTTPRequestError) -> HTTPQueryItem {
        let name = item.prefix { $0 != UInt8(ascii: "=") }
        guard let decoded = PercentEncoding.decode(name, plusIsSpace: true) else {
            throw .malformedQueryItem(String(Substring(item)))
        }
        guard name.endIndex < item.endIndex else { return HTTPQueryItem(name: decoded) }
        guard let value = PercentEncoding.decode(item[name.endIndex...].dropFirst(), plusIsSpace: true) else {
            throw .malformedQueryItem(String(Substring(item)))
        }
        return HTTPQueryItem(name: decoded, value: value)
    }

    /// The longest path, as it came, that is compared with those of resources. No resource has a longer one.
    private static let longestPath = 1024

    var isPathTooLong: Bool { storage.layout.pathSize > Self.longestPath }

    /// Whether the path is ASCII without escapes.
    var isPathPlain: Bool {
        unsafe storage.withPath { path in
            unsafe path.allSatisfy { $0 > 0 && $0 < 0x80 && $0 != UInt8(ascii: "%") }
        }
    }

    /// The parameters, if the path matches this pattern.
    func parameters(of pattern: RoutePattern) -> PathParameters? {
        unsafe storage.withPath { unsafe pattern.match($0) }
    }
}
