package import Logging
internal import Text

/// The identity of a client's request, for log lines and for requests to upstreams.
///
/// Providers do not choose, keep or share answers by it. A refresh that several requests share carries the identity of
/// the first.
public struct RequestIdentity: RequestIdentitySource {
    /// The most characters of an identifier that a client may choose.
    package static let longestID = 128

    /// The trace of the client's request, if the client sent one.
    package let trace: TraceContext?
    private let givenID: String?
    private let serial: (UInt64, UInt64)

    /// Creates an identity.
    ///
    /// - Parameters:
    ///   - givenID: the identifier that the client chose, of 1 to 128 letters, digits and `._~+/=-`. Any other is
    ///     ignored, since it could do harm in a log or a header.
    ///   - serial: a random number of the server and the number of the request, from which a unique identifier is made
    ///     if the client chose none. They cannot be derived from the identifier.
    package init(givenID: String? = nil, serial: (UInt64, UInt64), trace: TraceContext? = nil) {
        self.givenID = givenID.flatMap { Self.isHarmless($0) ? $0 : nil }
        self.serial = serial
        self.trace = trace
    }

    /// The value itself.
    public var cause: RequestIdentity { self }

    /// The client's identifier, or else 32 hexadecimal digits.
    package var id: String { givenID ?? RequestIDGenerator.text(server: serial.0, number: serial.1) }

    /// The metadata of log lines about the request.
    package var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = ["request_id": "\(id)"]
        if let trace { metadata["trace_id"] = "\(trace.traceID)" }
        return metadata
    }

    private static func isHarmless(_ id: String) -> Bool {
        (1...longestID).contains(id.utf8.count)
            && id.utf8.allSatisfy { $0.isAlphanumeric || "._~+/=-".utf8.contains($0) }
    }
}

/// Provides a request's identity on demand, such as the client's request as it was received.
///
/// Most requests are answered from memory without it, so it is read only on demand.
package protocol RequestIdentitySource: Sendable {
    /// The identity, the same at each call.
    var cause: RequestIdentity { get }
}

/// Makes a request's identifier from its two numbers: 32 hexadecimal digits, as unique as the numbers.
///
/// Plain numbers would reveal the load of the service, so the count is mixed with the server's 64 random bits, and
/// those are hashed. This is not a cipher.
enum RequestIDGenerator {
    static func text(server: UInt64, number: UInt64) -> String {
        (mixed(server) ^ server).hexDigits + mixed(of: number, by: server).hexDigits
    }

    /// Maps each number to another one, by key.
    fileprivate static func mixed(of number: UInt64, by key: UInt64) -> UInt64 {
        mixed(mixed(number ^ key) ^ mixed(key &+ 1)) ^ key
    }

    /// A one-to-one mixing in which every bit depends on every bit of the number.
    private static func mixed(_ number: UInt64) -> UInt64 {
        var number = number
        for factor: UInt64 in [0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB] {
            number = (number ^ number >> 31) &* factor
        }
        return number ^ number >> 32
    }
}

/// The share of traces that is recorded, chosen by their identifiers, so that all services with the same share choose
/// the same traces.
package struct TraceSampling: Sendable, Hashable {
    /// The bits of a trace's identifier that are random by the standard, and at least this number in a chosen one.
    private static let randomBits: UInt64 = 1 << 56
    private let least: UInt64

    /// - Parameter share: from 0 to 1.
    package init(_ share: Double) {
        least = Self.randomBits - UInt64(share * Double(Self.randomBits))
    }

    /// Whether no trace is chosen.
    package var isNone: Bool { least == Self.randomBits }

    /// Whether the trace is chosen that begins with a request, and has the identifier that the request gets.
    package func chooses(_ server: UInt64, _ number: UInt64) -> Bool {
        RequestIDGenerator.mixed(of: number, by: server) & (Self.randomBits - 1) >= least
    }
}
