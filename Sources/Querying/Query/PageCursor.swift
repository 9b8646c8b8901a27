internal import FoundationEssentials
internal import Hashing

/// The beginning of a page, bound to a query and a revision: the opaque text of `next` and of the parameter `cursor`.
///
/// The text is not secret and grants nothing: a forged one leads to public products. The check digits distinguish a
/// damaged cursor from an outdated one.
package struct PageCursor: Sendable, Hashable {
    /// The length of every cursor's text.
    package static let textLength = byteCount / 3 * 4
    /// The number of products on the pages before.
    package let skipped: Int
    private let revision: UInt64
    private let query: UInt64

    private static let format: UInt8 = 1
    private static let byteCount = 27
    private static let checked = 23
    private static let skippedBits: UInt64 = 48

    /// Creates a cursor.
    /// - Parameter revision: see ``CatalogueIndex/revision``.
    package init(skipping skipped: Int, of query: ProductsQuery, revision: String) {
        self.skipped = min(max(0, skipped), 1 << Self.skippedBits - 1)
        self.revision = Self.hash(revision)
        self.query = query.fingerprint
    }

    /// Parses any text.
    /// - Throws: `malformed`.
    package init(text: String) throws(PageCursorProblem) {
        guard let bytes = Self.bytes(text), bytes[0] == Self.format,
            bytes[Self.checked...].elementsEqual(Self.check(bytes[..<Self.checked]))
        else { throw .malformed }
        revision = Self.number(bytes[1..<9])
        query = Self.number(bytes[9..<17])
        skipped = Int(Self.number(bytes[17..<Self.checked]))
    }

    /// Checks the cursor and returns the number of products to skip.
    /// - Throws: `ofAnotherQuery`, or else `ofAnotherRevision`, when the cursor is not from a page of these.
    package func position(in query: ProductsQuery, revision: String) throws(PageCursorProblem) -> Int {
        guard self.query == query.fingerprint else { throw .ofAnotherQuery }
        guard self.revision == Self.hash(revision) else { throw .ofAnotherRevision }
        return skipped
    }

    /// The cursor in a query: 36 letters, digits, `-` and `_`.
    package var text: String {
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

/// Why a cursor is refused.
package enum PageCursorProblem: Error, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// The text is not a cursor.
    case malformed
    /// The cursor is from a page of other filters or another order.
    case ofAnotherQuery
    /// The cursor is from a page of a replaced catalogue.
    case ofAnotherRevision

    package var description: String {
        switch self {
        case .malformed: "it is not one that an earlier page gave"
        case .ofAnotherQuery: "it belongs to a query with other filters or another order"
        case .ofAnotherRevision: "it belongs to a catalogue that has been replaced; begin again with the first page"
        }
    }
}
