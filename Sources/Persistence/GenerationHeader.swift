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
