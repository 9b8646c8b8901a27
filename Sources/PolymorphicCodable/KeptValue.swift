/// Any value, of which a program only knows that it wants to keep it: read by any decoder, and written back as it was.
///
/// Integers are exact from `Int64.min` to `UInt64.max`; other numbers are what the decoder makes of them as `Double`.
/// What a format has beyond these, as the dates of a property list, cannot be kept and is an error.
public enum KeptValue: Sendable, Hashable {
    /// Nothing.
    case null
    /// A boolean.
    case bool(Bool)
    /// An integer.
    case integer(Int64)
    /// An integer above `Int64.max`.
    case unsigned(UInt64)
    /// A number that is no integer, or a bigger one.
    case double(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([KeptValue])
    /// Values by name.
    case object(KeptObject)

    /// The value as an error shows it.
    var summary: String {
        switch self {
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .integer(let integer): "\(integer)"
        case .unsigned(let integer): "\(integer)"
        case .double(let double): "\(double)"
        case .string(let string): "\"\(string)\""
        case .array: "an array"
        case .object: "an object"
        }
    }
}
