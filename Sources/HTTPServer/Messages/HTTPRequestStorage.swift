internal import CEventShim

/// Target, header fields, peer and body of one request in one allocation, laid out by `larder_request_copy`. Immutable
/// while requests use it.
final class HTTPRequestStorage: ManagedBuffer<HTTPRequestStorage.Layout, UInt8> {
    @safe struct Layout {
        var size: Int
        var targetSize: Int
        /// The target up to its question mark.
        var pathSize: Int
        var fields: Int
        var peerSize: Int
        var bodySize: Int
        var serial = RequestSerial()
        /// The peer, or the client that it names, as a number; see `larder_network_of`.
        var network: UInt64 = 0
        var isProxied = false
        /// The client that a trusted proxy names.
        var client: IPAddress?
        var principal: UInt32?
        var isSampled: Bool?
        /// The verified key among the fields.
        var key: Unmanaged<VerifiedKey>? = nil
    }

    /// Sizes of name and value in front of each field.
    private static let fieldHead = 2 * MemoryLayout<UInt32>.size

    private static func make(_ layout: Layout, fill: (UnsafeMutableRawPointer) -> Void) -> HTTPRequestStorage {
        let made = create(minimumCapacity: layout.size) { _ in layout }
        let storage = unsafe unsafeDowncast(made, to: HTTPRequestStorage.self)
        unsafe storage.withUnsafeMutablePointers { own, bytes in
            unsafe fill(UnsafeMutableRawPointer(bytes))
            let target = unsafe UnsafeRawBufferPointer(start: bytes, count: layout.targetSize)
            unsafe own.pointee.pathSize = target.firstIndex(of: UInt8(ascii: "?")) ?? target.count
        }
        return storage
    }

    static func copy(_ request: OpaquePointer, _ head: larder_head, server: UInt64) -> HTTPRequestStorage {
        let layout = unsafe Layout(
            size: head.size, targetSize: Int(head.target_size), pathSize: 0, fields: Int(head.fields),
            peerSize: Int(head.peer_size), bodySize: head.body_size,
            serial: RequestSerial(server: server, number: head.sequence), network: head.network,
            isProxied: head.is_proxied != 0)
        return unsafe make(layout) { unsafe larder_request_copy(request, $0) }
    }

    /// The storage that a connection keeps, for a request with the same head; nil if an earlier one still uses it.
    static func repeated(_ request: OpaquePointer, _ head: larder_head) -> HTTPRequestStorage? {
        guard let place = unsafe larder_request_kept(request), let kept = unsafe place.pointee else { return nil }
        unsafe place.pointee = nil
        var storage = unsafe Unmanaged<HTTPRequestStorage>.fromOpaque(kept).takeRetainedValue()
        guard isKnownUniquelyReferenced(&storage) else { return nil }
        unsafe storage.withUnsafeMutablePointerToHeader { own in
            unsafe own.pointee.serial.number = head.sequence
            unsafe own.pointee.principal = nil
            unsafe own.pointee.isSampled = nil
        }
        unsafe storage.keep(in: place)
        return storage
    }

    /// Has the connection keep the storage for later requests with its head, unless there is no place for it.
    func keep(in place: UnsafeMutablePointer<UnsafeMutableRawPointer?>?) {
        unsafe place?.pointee = Unmanaged.passRetained(self).toOpaque()
    }

    deinit {
        unsafe withUnsafeMutablePointerToHeader { unsafe $0.pointee.key?.release() }
    }

    static func make(
        target: String, headers: [(String, String)], peer: String, body: [UInt8]
    ) -> HTTPRequestStorage {
        var bytes = [UInt8](target.utf8)
        for (name, value) in headers {
            for size in [UInt32(name.utf8.count), UInt32(value.utf8.count)] {
                unsafe withUnsafeBytes(of: size) { unsafe bytes.append(contentsOf: $0) }
            }
            bytes += name.utf8
            bytes += value.utf8
        }
        bytes += peer.utf8
        bytes += body
        let layout = unsafe Layout(
            size: bytes.count, targetSize: target.utf8.count, pathSize: 0, fields: headers.count,
            peerSize: peer.utf8.count, bodySize: body.count)
        return unsafe make(layout) { memory in
            unsafe bytes.withUnsafeBytes { bytes in
                guard let base = bytes.baseAddress else { return }
                unsafe memory.copyMemory(from: base, byteCount: bytes.count)
            }
        }
    }

    /// Avoids `header`, which has every access checked.
    var layout: Layout {
        unsafe withUnsafeMutablePointerToHeader { unsafe $0.pointee }
    }

    /// To be called before the request is passed on.
    func setClient(_ client: IPAddress) {
        unsafe withUnsafeMutablePointerToHeader { header in
            unsafe header.pointee.client = client
            unsafe header.pointee.network = client.network
        }
    }

    /// To be called on the loop, before the handler responds.
    func setPrincipal(_ principal: UInt32) {
        unsafe withUnsafeMutablePointerToHeader { unsafe $0.pointee.principal = principal }
    }

    /// To be called on the loop, before the handler responds.
    func setSampled(_ isSampled: Bool?) {
        unsafe withUnsafeMutablePointerToHeader { unsafe $0.pointee.isSampled = isSampled }
    }

    /// The holder of the request's key, if this verification of it has been kept.
    func holder(verifiedBy verifier: UInt64, generation: Int) -> KeyHolder? {
        unsafe withUnsafeMutablePointerToHeader { own in
            unsafe own.pointee.key?._withUnsafeGuaranteedRef { key in
                key.verifier == verifier && key.generation == generation ? key.holder : nil
            }
        }
    }

    /// Keeps the verification of the request's key in place of an earlier one. To be called on the loop.
    func keep(_ key: VerifiedKey) {
        unsafe withUnsafeMutablePointerToHeader { own in
            unsafe own.pointee.key?.release()
            unsafe own.pointee.key = Unmanaged.passRetained(key)
        }
    }

    func withTarget<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        unsafe withUnsafeMutablePointers { layout, bytes in
            unsafe body(UnsafeRawBufferPointer(start: bytes, count: layout.pointee.targetSize))
        }
    }

    func withPath<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        unsafe withUnsafeMutablePointers { layout, bytes in
            unsafe body(UnsafeRawBufferPointer(start: bytes, count: layout.pointee.pathSize))
        }
    }

    func withPeer<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        unsafe withUnsafeMutablePointers { layout, bytes in
            let size = unsafe layout.pointee.peerSize
            let start = unsafe layout.pointee.size - layout.pointee.bodySize - size
            return unsafe body(UnsafeRawBufferPointer(start: bytes + start, count: size))
        }
    }

    func withBody<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        unsafe withUnsafeMutablePointers { layout, bytes in
            let size = unsafe layout.pointee.bodySize
            return unsafe body(UnsafeRawBufferPointer(start: bytes + (layout.pointee.size - size), count: size))
        }
    }

    func forEachField(_ body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void) {
        unsafe withUnsafeMutablePointers { layout, bytes in
            var at = unsafe UnsafeRawPointer(bytes) + layout.pointee.targetSize
            for _ in 0..<(unsafe layout.pointee.fields) {
                let nameSize = unsafe Int(at.loadUnaligned(as: UInt32.self))
                let valueSize = unsafe Int(at.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
                unsafe at += Self.fieldHead
                unsafe body(
                    UnsafeRawBufferPointer(start: at, count: nameSize),
                    UnsafeRawBufferPointer(start: at + nameSize, count: valueSize))
                unsafe at += nameSize + valueSize
            }
        }
    }
}

/// A globally unique request number: server nonce and sequence.
package struct RequestSerial: Sendable, Hashable {
    /// A random number that identifies the server of one loop.
    package let server: UInt64
    /// The number of the request on that loop.
    package fileprivate(set) var number: UInt64

    init(server: UInt64 = 0, number: UInt64 = 0) {
        self.server = server
        self.number = number
    }
}

/// The method of a request line.
package enum HTTPMethod: Sendable, Hashable, CaseIterable, CustomStringConvertible {
    case get, head, options, post, put, delete, patch, trace
    /// A method unknown to libevent, which does not keep the name.
    case other

    /// The token on the wire; `OTHER` for an unknown one.
    package var description: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .options: "OPTIONS"
        case .post: "POST"
        case .put: "PUT"
        case .delete: "DELETE"
        case .patch: "PATCH"
        case .trace: "TRACE"
        case .other: "OTHER"
        }
    }

    init(_ method: larder_method) {
        switch method {
        case LARDER_GET: self = .get
        case LARDER_HEAD: self = .head
        case LARDER_OPTIONS: self = .options
        case LARDER_POST: self = .post
        case LARDER_PUT: self = .put
        case LARDER_DELETE: self = .delete
        case LARDER_PATCH: self = .patch
        case LARDER_TRACE: self = .trace
        default: self = .other
        }
    }
}
