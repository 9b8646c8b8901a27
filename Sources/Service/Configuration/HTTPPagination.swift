public import Configuration
internal import Products

/// The config file's `http.pagination:`: how long the pages of `GET /products` are.
public struct HTTPPagination: Sendable {
    /// How many products an answer has when the client does not say; 0 for the whole catalogue.
    public let defaultLimit: Int
    /// How many products a client may ask for.
    public let maxLimit: Int

    /// The section's keys.
    public static let fields: [FieldSpec] = [
        .defaulted("default_limit", .integer, "0", "products of an answer to who gives no limit; 0: all there are"),
        .defaulted("max_limit", .integer, "1000", "the greatest limit that a client may give"),
    ]

    /// Reads the section.
    public init(_ reader: FieldReader) {
        defaultLimit = reader.integer("default_limit", in: 0...)
        maxLimit = reader.integer("max_limit", in: 1...)
        if reader.isSound, defaultLimit > maxLimit {
            reader.report(
                .error, at: "default_limit", "clients could not ask for the default limit; make \"max_limit\" no less")
        }
    }

    /// The same for queries.
    var limits: PageLimits { PageLimits(whenNotGiven: defaultLimit, greatest: maxLimit) }
}
