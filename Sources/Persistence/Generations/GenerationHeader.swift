import FoundationEssentials
import Hashing
import JSON
import Products

/// What a generation says of itself before its products.
struct GenerationHeader: Sendable, Hashable, Codable {
    /// The one format that is written.
    static let currentFormat = 1

    /// How the file is laid out.
    let format: Int
    /// The number the file was written under.
    let generation: Int
    /// When the products were confirmed, as RFC 3339 text.
    let fetchedAt: String
    /// Where the products came from when they were saved.
    let source: ProductsOrigin
    /// How many products there are.
    let count: Int
    /// The SHA-256 of the bytes of the array of products.
    let sha256: String
    /// A hash over all the members above, so that damage to one of them is noticed as well.
    let seal: String

    /// The header of a snapshot.
    init(_ snapshot: ProductsSnapshot, generation: Int) {
        format = Self.currentFormat
        self.generation = generation
        fetchedAt = Timestamp(snapshot.fetchedAt).text
        source = snapshot.origin
        count = snapshot.products.count
        sha256 = snapshot.catalogue.digest
        seal = Self.seal(
            "\(format) \(generation) \(fetchedAt) \(source.rawValue) \(count) \(sha256)")
    }

    /// Whether the seal fits the other members.
    var isSealed: Bool {
        seal == Self.seal("\(format) \(generation) \(fetchedAt) \(source.rawValue) \(count) \(sha256)")
    }

    private static func seal(_ text: String) -> String {
        String(SHA256Digest(of: text.utf8).hexDigits.prefix(16))
    }
}

/// A moment as RFC 3339 text in UTC with milliseconds, `2026-01-31T12:00:00.123Z`.
struct Timestamp: Sendable, Hashable {
    /// The text.
    let text: String
    /// The moment, to the millisecond.
    let date: Date

    /// The millisecond nearest to a moment.
    init(_ moment: Date) {
        let milliseconds = Int64((moment.timeIntervalSince1970 * 1000).rounded())
        let fraction = (milliseconds % 1000 + 1000) % 1000
        let seconds = (milliseconds - fraction) / 1000
        let whole = Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601)
        text = "\(whole.dropLast()).\(Padding.zeros(fraction, width: 3))Z"
        date = Self.date(seconds: seconds, milliseconds: fraction)
    }

    /// The moment of a text; nil when it has any other form.
    init?(text: String) {
        guard text.utf8.count == 24, text.hasSuffix("Z"), text.dropLast(4).hasSuffix("."),
            let fraction = Int64(text.dropLast().suffix(3)), fraction >= 0,
            let whole = try? Date("\(text.dropLast(5))Z", strategy: .iso8601)
        else { return nil }
        self.text = text
        date = Self.date(seconds: Int64(whole.timeIntervalSince1970), milliseconds: fraction)
    }

    private static func date(seconds: Int64, milliseconds: Int64) -> Date {
        Date(timeIntervalSince1970: TimeInterval(seconds * 1000 + milliseconds) / 1000)
    }
}

/// Numbers of a fixed width.
enum Padding {
    /// The number with zeros before it, up to the width.
    static func zeros(_ number: some BinaryInteger, width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
