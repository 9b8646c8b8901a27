internal import Text

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
        (1...longestID).contains(id.utf8.count)
            && id.utf8.allSatisfy { $0.isAlphanumeric || "._~+/=-".utf8.contains($0) }
    }
}

/// What can tell a request's cause, such as the client's request as it was received.
///
/// Most requests are answered from memory and nobody asks, so nothing is read until somebody does.
public protocol RequestCauseSource: Sendable {
    /// The cause: the same however often it is asked for.
    var cause: RequestCause { get }
}

/// Makes the name of a request of its two numbers: 32 hexadecimal digits, as unique as the numbers are.
///
/// The numbers themselves are no business of who sees names: one is the same for all requests of a server, and the other
/// counts them. So the second is mixed such that the first, of 64 random bits, is needed to find it, and the first is
/// told by what it cannot be found from. That is no cipher; what it hides is how busy the service is.
enum SerialName {
    static func text(server: UInt64, number: UInt64) -> String {
        (mixed(server) ^ server).hexDigits + mixed(of: number, by: server).hexDigits
    }

    /// Another number for each number.
    private static func mixed(of number: UInt64, by key: UInt64) -> UInt64 {
        mixed(mixed(number ^ key) ^ mixed(key &+ 1)) ^ key
    }

    /// A number in which every bit depends on every bit of the given one, of which it is the only image.
    private static func mixed(_ number: UInt64) -> UInt64 {
        var number = number
        for factor: UInt64 in [0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB] {
            number = (number ^ number >> 31) &* factor
        }
        return number ^ number >> 32
    }
}
