/// How long pages may be.
public struct PageLimits: Sendable, Hashable {
    /// How many products a page has when the query does not say; nil for the whole catalogue.
    public let whenNotGiven: Int?
    /// How many products a query may ask for.
    public let greatest: Int

    /// Limits, as the config file has them.
    /// - Parameter whenNotGiven: nil, or zero, for the whole catalogue.
    public init(whenNotGiven: Int? = nil, greatest: Int = 1000) {
        self.whenNotGiven = whenNotGiven.flatMap { $0 > 0 ? $0 : nil }
        self.greatest = greatest
    }
}
