public import FoundationEssentials
public import Products

/// A failure of a provider, and when it was.
public struct NodeFailure: Sendable, Hashable {
    /// Why it had no answer.
    public let failure: ProductsFailure
    /// When, by the wall clock.
    public let time: Date
}
