/// Something that was left out when a document was decoded: an item, or a product within one.
public struct SkippedItem: Sendable, Hashable {
    /// The index of the item, in which or as which it stood.
    public let index: Int
    /// Where exactly and why, as `[12].products[0].type: unknown kind "x"; known are "physical", …`. For operators.
    public let reason: String

    /// Something that was left out.
    public init(index: Int, reason: String) {
        self.index = index
        self.reason = reason
    }
}
