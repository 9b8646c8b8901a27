/// Immutable bytes at an address that never changes, so a response sends them from where they are.
///
/// A body made once may be sent any number of times, at the same time, on any loop. It lives until the last connection
/// that sends it is done with it.
@safe
public final class HTTPBody: @unchecked Sendable {
    /// A body without bytes.
    public static let empty = HTTPBody(bytes: [UInt8]())

    /// The number of bytes.
    public let count: Int
    let start: UnsafeRawPointer
    /// Whose memory this is a part of; `nil` when it is its own.
    private let owner: HTTPBody?
    /// What lives as long as this does.
    private let companion: (any AnyObject & Sendable)?
    /// An object kept until no part of the memory is needed.
    private let tally: (any AnyObject & Sendable)?

    /// Copies the bytes once.
    public init(bytes: some Collection<UInt8>) {
        let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, bytes.count))
        _ = unsafe memory.initialize(from: bytes)
        count = bytes.count
        unsafe start = UnsafeRawPointer(memory.baseAddress.unsafelyUnwrapped)
        owner = nil
        companion = nil
        tally = nil
    }

    /// Copies the parts once, one behind the other.
    public init(joining parts: [ArraySlice<UInt8>]) {
        count = parts.reduce(0) { $0 + $1.count }
        let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, count))
        var end = 0
        for part in parts { unsafe end = memory[end...].initialize(fromContentsOf: part) }
        unsafe start = UnsafeRawPointer(memory.baseAddress.unsafelyUnwrapped)
        owner = nil
        companion = nil
        tally = nil
    }

    /// The text in UTF-8.
    public convenience init(text: String) {
        self.init(bytes: text.utf8)
    }

    private init(
        part range: Range<Int>, of whole: HTTPBody, _ companion: (any AnyObject & Sendable)?,
        _ tally: (any AnyObject & Sendable)?
    ) {
        count = range.count
        unsafe start = whole.start + range.lowerBound
        owner = whole.owner ?? whole
        self.companion = companion
        self.tally = tally
    }

    deinit {
        if owner == nil { unsafe start.deallocate() }
    }

    /// A part that shares this body's memory and keeps it alive. A range outside the body stops the program.
    public func slice(_ range: Range<Int>) -> HTTPBody {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "range outside the body")
        return HTTPBody(part: range, of: self, companion, tally)
    }

    /// The same bytes in the same memory, which keep something else alive until the last connection that sends them is
    /// done with them, in place of what this body keeps alive so.
    public func holding(_ companion: any AnyObject & Sendable) -> HTTPBody {
        HTTPBody(part: 0..<count, of: self, companion, tally)
    }

    /// Returns a body of these bytes in their memory whose `tally` is kept until no part of these bytes
    /// is needed, whatever else such parts keep alive.
    public func counted(by tally: any AnyObject & Sendable) -> HTTPBody {
        HTTPBody(part: 0..<count, of: self, companion, tally)
    }

    /// Whether the body holds a companion that is released only after it has been sent.
    var isUnshared: Bool { companion != nil }

    /// Copies a part to the end of other bytes. A range outside the body stops the program.
    public func append(_ range: Range<Int>, to bytes: inout [UInt8]) {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "range outside the body")
        unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(start: start + range.lowerBound, count: range.count))
    }

    /// A copy of the bytes.
    public var bytes: [UInt8] {
        unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    /// The bytes as text; what is not UTF-8 is replaced.
    public var text: String {
        unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }
}
