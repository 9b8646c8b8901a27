internal import FoundationEssentials
internal import Hashing
internal import JSON
internal import Products

/// The members of a generation's file before its products.
struct GenerationHeader: Sendable, Hashable, Codable {
    /// 1 can be read by every version, 2 only by those that know products with several categories.
    static let currentFormat = 2

    let format: Int
    /// The number under which the file was written.
    let generation: Int
    /// RFC 3339: when the source confirmed the products.
    let fetchedAt: String
    /// The origin of the products when they were saved.
    let source: ProductsOrigin
    let count: Int
    /// The SHA-256 of the bytes of the array of products.
    let sha256: String
    /// A hash over all the members above, to detect damage to them.
    let seal: String
    /// The form of the products' bytes, by ``Catalogue/form``; nil in files of earlier versions. Not part of the seal,
    /// which those versions check: a wrong value only makes a load slower.
    let canonical: Int?
    /// The time of the source's last response; nil if equal to `fetchedAt`. Earlier versions do not know this and the
    /// following members, and do not include them in their seal.
    let checkedAt: String?
    /// The source's reason for a response that it should not have given.
    let stale: String?
    let cacheStatus: String?
    /// A hash over these members; nil without any.
    let checkSeal: String?

    /// - Parameter format: the catalogue's format; nil to determine it, which reads all products.
    init(_ snapshot: ProductsSnapshot, generation: Int, format: Int? = nil) {
        self.format = format ?? (snapshot.catalogue.hasStructuredCategories ? 2 : 1)
        self.generation = generation
        fetchedAt = Timestamp(snapshot.fetchedAt).text
        source = snapshot.origin
        count = snapshot.products.count
        sha256 = snapshot.catalogue.digest
        canonical = Catalogue.form
        seal = Self.seal("\(self.format) \(generation) \(fetchedAt) \(source.rawValue) \(count) \(sha256)")
        let checkedAt = Timestamp(snapshot.checkedAt).text
        self.checkedAt = checkedAt == fetchedAt ? nil : checkedAt
        stale = snapshot.source?.staleness?.rawValue
        cacheStatus = snapshot.source?.cacheStatus
        checkSeal = Self.seal(self.checkedAt, stale, cacheStatus)
    }

    /// Whether the seals match the other members.
    var isSealed: Bool {
        seal == Self.seal("\(format) \(generation) \(fetchedAt) \(source.rawValue) \(count) \(sha256)")
            && checkSeal == Self.seal(checkedAt, stale, cacheStatus)
    }

    private static func seal(_ checkedAt: String?, _ stale: String?, _ cacheStatus: String?) -> String? {
        if checkedAt == nil, stale == nil, cacheStatus == nil { return nil }
        return seal("\(checkedAt ?? "") \(stale ?? "") \(cacheStatus ?? "")")
    }

    /// The snapshot of these products; nil if a time is malformed.
    func snapshot(of catalogue: Catalogue) -> ProductsSnapshot? {
        times.map {
            ProductsSnapshot(
                catalogue: catalogue, fetchedAt: $0.fetchedAt, checkedAt: $0.checkedAt, origin: .store,
                source: statement)
        }
    }

    /// The times of the snapshot; nil if one is malformed.
    var times: (fetchedAt: Date, checkedAt: Date)? {
        guard let fetched = Timestamp(text: fetchedAt), let checked = Timestamp(text: checkedAt ?? fetchedAt) else {
            return nil
        }
        return (fetched.date, checked.date)
    }

    /// The statement of a source that is a cache.
    var statement: SourceStatement? {
        guard stale != nil || cacheStatus != nil else { return nil }
        return SourceStatement(
            stale.map { SourceStatement.Staleness(rawValue: $0) ?? .stale }, cacheStatus: cacheStatus ?? "")
    }

    private static func seal(_ text: String) -> String {
        String(SHA256Digest(of: text.utf8).hexDigits.prefix(16))
    }
}

/// A moment as RFC 3339 text in UTC with milliseconds, `2026-01-31T12:00:00.123Z`.
struct Timestamp: Sendable, Hashable {
    let text: String
    let date: Date

    /// Rounds a time to the nearest millisecond.
    init(_ moment: Date) {
        let milliseconds = Int64((moment.timeIntervalSince1970 * 1000).rounded())
        let fraction = (milliseconds % 1000 + 1000) % 1000
        let seconds = (milliseconds - fraction) / 1000
        let whole = Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601)
        text = "\(whole.dropLast()).\(fraction.padded(to: 3))Z"
        date = Self.date(seconds: seconds, milliseconds: fraction)
    }

    /// Parses a text; nil if malformed.
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

extension BinaryInteger {
    /// The number padded with zeros to the width.
    func padded(to width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
