import FoundationEssentials
import Hashing

/// Where a page begins, bound to the query and to the revision whose pages it counts: what `next` and the parameter
/// `cursor` carry as an opaque text.
///
/// The text is no secret and no permission. Its check digits are there so that one that was cut or changed on the way
/// is told from one that is too old; whoever makes one up gets products that any query would give.
public struct PageCursor: Sendable, Hashable {
    /// How long the text of every cursor is.
    public static let textLength = byteCount / 3 * 4
    /// How many of the products that the query finds stand on the pages before.
    public let skipped: Int
    private let revision: UInt64
    private let query: UInt64

    private static let format: UInt8 = 1
    private static let byteCount = 27
    private static let checked = 23
    private static let skippedBits: UInt64 = 48

    /// The cursor to the products of a query after the first so many.
    /// - Parameter revision: what names the catalogue, and all else that the query's result depends on.
    public init(skipping skipped: Int, of query: ProductsQuery, revision: String) {
        self.skipped = min(max(0, skipped), 1 << Self.skippedBits - 1)
        self.revision = Self.hash(revision)
        self.query = query.fingerprint
    }

    /// The cursor of a text, which may hold anything.
    /// - Throws: `malformed`.
    public init(text: String) throws(PageCursorProblem) {
        guard let bytes = Self.bytes(text), bytes[0] == Self.format,
            bytes[Self.checked...].elementsEqual(Self.check(bytes[..<Self.checked]))
        else { throw .malformed }
        revision = Self.number(bytes[1..<9])
        query = Self.number(bytes[9..<17])
        skipped = Int(Self.number(bytes[17..<Self.checked]))
    }

    /// How many products to skip.
    /// - Throws: `ofAnotherQuery`, or else `ofAnotherRevision`, when the cursor did not come from a page of these.
    public func position(in query: ProductsQuery, revision: String) throws(PageCursorProblem) -> Int {
        guard self.query == query.fingerprint else { throw .ofAnotherQuery }
        guard self.revision == Self.hash(revision) else { throw .ofAnotherRevision }
        return skipped
    }

    /// The cursor as a query has it: 36 letters, digits, `-` and `_`.
    public var text: String {
        var bytes = [Self.format]
        bytes += Self.bigEndian(revision) + Self.bigEndian(query)
        bytes += Self.bigEndian(UInt64(skipped)).suffix(Int(Self.skippedBits / 8))
        bytes += Self.check(bytes[...])
        return String(
            Data(bytes).base64EncodedString().map { character in
                switch character {
                case "+": "-"
                case "/": "_"
                default: character
                }
            })
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        guard text.utf8.count == textLength else { return nil }
        var standard: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "-"): standard.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): standard.append(UInt8(ascii: "/"))
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                standard.append(byte)
            default: return nil
            }
        }
        return Data(base64Encoded: Data(standard)).flatMap { $0.count == byteCount ? Array($0) : nil }
    }

    private static func check(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        bigEndian(SHA256Digest(of: bytes).words[0]).prefix(byteCount - checked)
    }

    private static func hash(_ revision: String) -> UInt64 {
        SHA256Digest(of: revision.utf8).words[0]
    }

    private static func bigEndian(_ number: UInt64) -> ArraySlice<UInt8> {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }[...]
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// Why a page cannot be cut where a cursor says.
public enum PageCursorProblem: Error, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// It is no text that was given out as a cursor.
    case malformed
    /// It was given out with a page of other filters or another order.
    case ofAnotherQuery
    /// It was given out with a page of a catalogue that has been replaced since.
    case ofAnotherRevision

    /// The sentence for clients.
    public var description: String {
        switch self {
        case .malformed: "it is not one that an earlier page gave"
        case .ofAnotherQuery: "it belongs to a query with other filters or another order"
        case .ofAnotherRevision: "it belongs to a catalogue that has been replaced; begin again with the first page"
        }
    }
}
