/// The client's request for which products are asked for: what log lines and the requests to upstreams tell of it.
///
/// It decides nothing: no provider chooses, keeps or shares answers by it. Of requests that share a refresh it is the
/// cause that began it.
public struct RequestCause: RequestCauseSource {
    /// The most characters of an identifier that a client may choose.
    public static let longestID = 128

    /// What the client's request was part of, where the client told.
    public let trace: TraceContext?
    private let givenID: String?
    private let serial: (UInt64, UInt64)

    /// A cause.
    ///
    /// - Parameters:
    ///   - givenID: the identifier that the client chose. One that could do harm in a log or a header counts as none:
    ///     it has 1 to 128 characters, which are letters, digits and `._~+/=-`.
    ///   - serial: what no other request has, to make an identifier of where the client chose none: a random number of
    ///     the server, and which of its requests it is. Neither can be read off the identifier.
    public init(givenID: String? = nil, serial: (UInt64, UInt64), trace: TraceContext? = nil) {
        self.givenID = givenID.flatMap { Self.isHarmless($0) ? $0 : nil }
        self.serial = serial
        self.trace = trace
    }

    /// Itself.
    public var cause: RequestCause { self }

    /// What the request is called: as the client wants it, or else by 32 hexadecimal digits.
    public var id: String { givenID ?? SerialName.text(server: serial.0, number: serial.1) }

    private static func isHarmless(_ id: String) -> Bool {
        (1...longestID).contains(id.utf8.count) && id.utf8.allSatisfy(isHarmless)
    }

    private static func isHarmless(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "._~+/=-".utf8.contains(byte)
        }
    }
}
