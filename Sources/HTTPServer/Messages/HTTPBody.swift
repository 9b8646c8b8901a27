internal import CEventShim
internal import CZlib

/// Immutable bytes at a fixed address, so that a response sends them without a copy.
///
/// A body can be sent any number of times, also at once, on any loop. It lives until the last connection has sent it.
@safe
package final class HTTPBody: @unchecked Sendable {
    package static let empty = HTTPBody(bytes: [UInt8]())

    package let count: Int
    let start: UnsafeRawPointer
    /// The body whose memory this is a part of; `nil` if it has its own.
    private let owner: HTTPBody?
    /// The array whose storage is the memory; nil if that was allocated for the body.
    private let array: [UInt8]?
    /// An object kept alive as long as this body.
    private let companion: (any AnyObject & Sendable)?
    /// An object kept until no part of the memory is needed.
    private let tally: (any AnyObject & Sendable)?

    /// Copies the bytes once.
    package convenience init(bytes: some Collection<UInt8>) {
        let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, bytes.count))
        _ = unsafe memory.initialize(from: bytes)
        unsafe self.init(memory, count: bytes.count)
    }

    /// Takes over the bytes without a copy: an array that nothing changes stays where it is.
    package convenience init(owning bytes: [UInt8]) {
        let memory = unsafe bytes.withUnsafeBufferPointer { unsafe UnsafeMutableBufferPointer(mutating: $0) }
        unsafe self.init(memory, count: bytes.count, array: bytes)
    }

    package convenience init(text: String) {
        self.init(bytes: text.utf8)
    }

    private init(_ memory: UnsafeMutableBufferPointer<UInt8>, count: Int, array: [UInt8]? = nil) {
        self.count = count
        unsafe start = UnsafeRawPointer(memory.baseAddress.unsafelyUnwrapped)
        self.array = array
        owner = nil
        companion = nil
        tally = nil
    }

    private init(
        part range: Range<Int>, of whole: HTTPBody, _ companion: (any AnyObject & Sendable)?,
        _ tally: (any AnyObject & Sendable)?
    ) {
        count = range.count
        unsafe start = whole.start + range.lowerBound
        owner = whole.owner ?? whole
        array = nil
        self.companion = companion
        self.tally = tally
    }

    deinit {
        if owner == nil, array == nil { unsafe start.deallocate() }
    }

    /// A part that shares this body's memory and keeps it alive. A range outside the body is a programming error.
    package func slice(_ range: Range<Int>) -> HTTPBody {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "range outside the body")
        return HTTPBody(part: range, of: self, companion, tally)
    }

    /// Returns a body of the same memory that keeps `companion` alive until the last connection has sent it, in place
    /// of this body's own companion.
    package func holding(_ companion: any AnyObject & Sendable) -> HTTPBody {
        HTTPBody(part: 0..<count, of: self, companion, tally)
    }

    /// Returns a body of the same memory that keeps `tally` alive as long as any part of it.
    package func counted(by tally: any AnyObject & Sendable) -> HTTPBody {
        HTTPBody(part: 0..<count, of: self, companion, tally)
    }

    /// The place of the bytes in memory.
    package var place: HTTPBodyPlace { HTTPBodyPlace(start: unsafe UInt(bitPattern: start), count: count) }

    /// The stream of a streamed response.
    var stream: HTTPEventStream? { (companion as? HTTPEventStream.Opening)?.stream }

    /// Whether the body has a companion, which is released when the body has been sent.
    var isUnshared: Bool { companion != nil }

    /// Appends a copy of a part. A range outside the body is a programming error.
    package func append(_ range: Range<Int>, to bytes: inout [UInt8]) {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "range outside the body")
        unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(start: start + range.lowerBound, count: range.count))
    }

    package var bytes: [UInt8] {
        unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    private static let level: Int32 = 6
    /// The widest window, in the gzip format.
    private static let gzipWindow: Int32 = 15 + 16
    private static let memoryLevel: Int32 = 8

    /// The bytes in the gzip format (RFC 1952); nil if there is no memory.
    ///
    /// Equal bytes give equal results on every replica with the same zlib: neither a time nor a name is included. A
    /// million bytes take about 20 ms, so call it off the event loops for large bodies.
    package func gzipped() -> HTTPBody? {
        guard let size = UInt32(exactly: count) else { return nil }
        var stream = unsafe z_stream()
        let isReady = unsafe deflateInit2_(
            &stream, Self.level, Z_DEFLATED, Self.gzipWindow, Self.memoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard isReady == Z_OK else { return nil }
        defer { unsafe deflateEnd(&stream) }
        guard let limit = unsafe UInt32(exactly: deflateBound(&stream, UInt(size))) else { return nil }
        let input = unsafe UnsafeMutableRawPointer(mutating: start).assumingMemoryBound(to: UInt8.self)
        return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(limit)) { output in
            unsafe stream.next_in = input
            unsafe stream.avail_in = size
            unsafe stream.next_out = output.baseAddress
            unsafe stream.avail_out = limit
            guard unsafe deflate(&stream, Z_FINISH) == Z_STREAM_END else { return nil }
            return unsafe HTTPBody(bytes: UnsafeBufferPointer(rebasing: output[..<Int(stream.total_out)]))
        }
    }
}

/// The place of a body in memory, to find its readers. It does not keep the body alive.
package struct HTTPBodyPlace: Sendable, Hashable {
    let start: UInt
    package let count: Int
}

extension HTTPBody {
    /// Passes the body to the shim, and keeps it alive until it is sent or dropped.
    func lend(to reply: inout larder_reply) {
        guard count > 0 else { return }
        unsafe reply.body = start
        unsafe reply.body_size = count
        unsafe reply.is_unshared = isUnshared ? 1 : 0
        unsafe reply.release_arg = Unmanaged.passRetained(self).toOpaque()
        unsafe reply.release = { _, _, body in
            guard let body = unsafe body else { return }
            unsafe Unmanaged<HTTPBody>.fromOpaque(body).release()
        }
    }
}
