/// Any JSON value, kept without loss: numbers as they were written, object members in their order.
///
/// Two values are equal when they have the same members in the same order and the same number literals, so `1.0` is not
/// equal to `1`.
public enum JSONValue: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number, as it was written.
    case number(JSONNumber)
    /// A string, without quotes and escapes.
    case string(String)
    /// The elements of an array.
    case array([JSONValue])
    /// The members of an object.
    case object(JSONObject)
}
