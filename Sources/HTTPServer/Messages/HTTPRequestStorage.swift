internal import CEventShim

/// Target, header fields, peer and body of one request in one piece of memory, laid out as `larder_request_copy` writes it.
/// Never changed after it was made.
final class HTTPRequestStorage: ManagedBuffer<HTTPRequestStorage.Layout, UInt8> {
    struct Layout {
        var size: Int
        var targetSize: Int
        /// The target up to its question mark.
        var pathSize: Int
        var fields: Int
        var peerSize: Int
        var bodySize: Int
        var serial = RequestSerial()
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
        let layout = Layout(
            size: head.size, targetSize: Int(head.target_size), pathSize: 0, fields: Int(head.fields),
            peerSize: Int(head.peer_size), bodySize: head.body_size,
            serial: RequestSerial(server: server, number: head.sequence))
        return unsafe make(layout) { unsafe larder_request_copy(request, $0) }
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
        let layout = Layout(
            size: bytes.count, targetSize: target.utf8.count, pathSize: 0, fields: headers.count,
            peerSize: peer.utf8.count, bodySize: body.count)
        return unsafe make(layout) { memory in
            unsafe bytes.withUnsafeBytes { bytes in
                guard let base = bytes.baseAddress else { return }
                unsafe memory.copyMemory(from: base, byteCount: bytes.count)
            }
        }
    }

    /// Read without what `header` costs, which has every access checked.
    var layout: Layout {
        unsafe withUnsafeMutablePointerToHeader { unsafe $0.pointee }
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
    /// A random number of the part of the server that received the request.
    package let server: UInt64
    /// The number of the request within that part.
    package let number: UInt64

    init(server: UInt64 = 0, number: UInt64 = 0) {
        self.server = server
        self.number = number
    }
}
