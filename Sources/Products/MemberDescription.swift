/// A member of what clients get of a product, for those who describe it to them.
public struct MemberDescription: Sendable, Hashable {
    /// What a member's value may be.
    public indirect enum Form: Sendable, Hashable {
        /// A text, which may be empty.
        case text
        /// A text that is not empty.
        case filledText
        /// `true` or `false`.
        case flag
        /// A whole number.
        case integer
        /// A number, exact to the digit.
        case decimal
        /// An object with these members, and others that the source has.
        case object([MemberDescription])
        /// An array.
        case list(Form)
        /// A whole product of any kind.
        case product
    }

    /// The member's name.
    public let name: String
    /// What it may be.
    public let form: Form
    /// What it stands for, as a part of a sentence.
    public let meaning: String
    /// Whether every such object has it.
    public let isAlwaysThere: Bool

    static func always(_ name: String, _ form: Form, _ meaning: String) -> MemberDescription {
        MemberDescription(name: name, form: form, meaning: meaning, isAlwaysThere: true)
    }

    static func sometimes(_ name: String, _ form: Form, _ meaning: String) -> MemberDescription {
        MemberDescription(name: name, form: form, meaning: meaning, isAlwaysThere: false)
    }
}
