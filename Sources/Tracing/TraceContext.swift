internal import Text

/// The trace that a request belongs to (W3C Trace Context, levels 1 and 2).
package struct TraceContext: Sendable, Hashable {
    /// The flags that the standard defines, sampled and random trace-id; others must not be sent.
    private static let knownFlags: UInt8 = 0b11
    private static let sampledFlag: UInt8 = 0b1

    /// 32 hexadecimal digits in lower case.
    package let traceID: String
    /// The value of `tracestate`, which tracing systems add; nil for none.
    package let state: String?
    /// The identifier of the span that sent the request; 0 for a trace that begins here.
    package let caller: UInt64
    private var flags: UInt8

    /// Begins a sampled trace.
    ///
    /// - Parameter traceID: 32 hexadecimal digits in lower case, not all 0.
    package init(traceID: String) {
        (self.traceID, state, caller, flags) = (traceID, nil, 0, Self.sampledFlag)
    }

    /// Reads the header fields of a request; nil for an invalid `traceparent`; the standard then ignores both fields.
    /// Later versions are read as version 00.
    ///
    /// - Parameters:
    ///   - parent: the value of `traceparent`.
    ///   - state: the value of `tracestate`; an invalid one is ignored.
    package init?(parent: String, state: String? = nil) {
        let bytes = Array(parent.utf8)
        guard let version = Self.number(bytes.prefix(2), digits: 2), version != 0xff,
            bytes.count == 55 || version > 0 && bytes.count > 55 && bytes[55] == Self.dash,
            [2, 35, 52].allSatisfy({ bytes[$0] == Self.dash }),
            Self.isID(bytes[3..<35]), Self.isID(bytes[36..<52]),
            let flags = Self.number(bytes[53..<55], digits: 2)
        else { return nil }
        traceID = String(decoding: bytes[3..<35], as: UTF8.self)
        caller = bytes[36..<52].reduce(0) { $0 << 4 | UInt64(Self.digit($1) ?? 0) }
        self.flags = UInt8(flags) & Self.knownFlags
        self.state = state.flatMap { TraceState($0)?.text }
    }

    /// Whether the caller records the trace.
    package var isSampled: Bool { flags & Self.sampledFlag != 0 }

    /// Returns this trace with another decision.
    package func sampled(_ isSampled: Bool) -> TraceContext {
        var context = self
        context.flags = flags & ~Self.sampledFlag | (isSampled ? Self.sampledFlag : 0)
        return context
    }

    /// The value of `traceparent` for a request that is made on behalf of this one.
    ///
    /// - Parameter span: the identifier of that request in the trace; not 0.
    package func parent(span: UInt64) -> String {
        "00-\(traceID)-\(span.hexDigits)-\(flags.hexDigits)"
    }

    private static let dash = UInt8(ascii: "-")

    /// Whether the digits are a hexadecimal number other than 0.
    private static func isID(_ digits: ArraySlice<UInt8>) -> Bool {
        digits.allSatisfy { digit($0) != nil } && digits.contains { $0 != UInt8(ascii: "0") }
    }

    private static func number(_ text: ArraySlice<UInt8>, digits count: Int) -> Int? {
        guard text.count == count else { return nil }
        var number = 0
        for byte in text {
            guard let digit = digit(byte) else { return nil }
            number = number << 4 | digit
        }
        return number
    }

    /// The value of a digit; the standard allows only lower case.
    private static func digit(_ byte: UInt8) -> Int? {
        byte == byte.lowercased ? byte.hexValue.map(Int.init) : nil
    }
}

/// The value of a `tracestate` header, passed on unchanged, except for members that make it too long.
struct TraceState {
    /// The least length that the standard requires to be passed on; the rest is dropped.
    private static let longest = 512
    private static let mostMembers = 32
    /// The longest value that is read, with room for blanks and empty members.
    private static let mostRead = 2 * longest

    /// Whole members, the most recent ones first.
    let text: String

    /// - Returns: nil for a text that is not a list of at most 32 members `key=value`, or has none.
    init?(_ text: String) {
        guard text.utf8.count <= Self.mostRead else { return nil }
        // Empty members are allowed, in a limited number.
        let elements = text.split(separator: ",", maxSplits: 2 * Self.mostMembers)
        let members = elements.map(Self.trimmed).filter { !$0.isEmpty }
        guard (1...Self.mostMembers).contains(members.count), members.allSatisfy(Self.isMember) else { return nil }
        let kept = Self.fitting(members)
        guard !kept.isEmpty else { return nil }
        self.text = kept.joined(separator: ",")
    }

    /// The first members that fit; the last are dropped.
    private static func fitting(_ members: [Substring]) -> ArraySlice<Substring> {
        var (kept, length) = (0, -1)
        for member in members {
            length += member.utf8.count + 1
            guard length <= longest else { break }
            kept += 1
        }
        return members[..<kept]
    }

    private static func trimmed(_ member: Substring) -> Substring {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        var member = member.drop(while: isBlank)
        while let last = member.last, isBlank(last) { member.removeLast() }
        return member
    }

    private static func isMember(_ member: Substring) -> Bool {
        let parts = member.split(separator: "=", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
            && member.utf8.allSatisfy { (0x20...0x7e).contains($0) }
    }
}
