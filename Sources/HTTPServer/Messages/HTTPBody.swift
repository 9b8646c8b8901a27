internal import CEventShim
internal import Compression

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

    /// Calls `body` with the bytes.
    package func withSpan<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        withExtendedLifetime(self) {
            let bytes = unsafe UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: count)
            return unsafe body(bytes.span)
        }
    }

    /// The bytes in the gzip format; nil if memory is short. See ``GzipWriter``; call it off the event loops for large bodies.
    package func gzipped() -> HTTPBody? { withSpan { GzipWriter.packed($0) }.map { HTTPBody(owning: $0) } }
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
