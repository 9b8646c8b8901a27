/// What a member of ours holds, as far as other people's values have to be turned into it.
enum MemberType: Sendable, Hashable {
    /// A text that is not empty, from a string or a number.
    case identifier
    /// A text, from a string or a number.
    case text
    /// A whole number.
    case integer
    /// A number, kept to the digit.
    case decimal
    /// An array of such numbers.
    case decimals
    /// Anything else, which is taken as it is.
    case other
}
