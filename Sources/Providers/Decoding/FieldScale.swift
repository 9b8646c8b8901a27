public import JSON

/// How many of a number's last digits stand behind the point: an amount in minor units is divided by ten to that power.
public enum FieldScale: Sendable, Hashable {
    /// The same for every item.
    case fixed(Int)
    /// A whole number that stands in the item itself.
    case path(JSONPath)

    /// What a scale may be. Eighteen digits are more than any currency or unit has, and still fit a machine word.
    public static let range = 0...18
}
