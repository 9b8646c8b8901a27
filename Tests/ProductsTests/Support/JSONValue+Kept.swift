import FoundationEssentials
import JSON

extension JSONValue {
    /// Whether all that a source said is in what was written from it, at every depth.
    ///
    /// Numbers have to be the same number, also where a text held one, the id may have become text, a null may be gone, and so may `isPopular`.
    func isKept(in written: JSONValue?, as name: String = "") -> Bool {
        switch (self, written) {
        case (.null, nil): true
        case (.object(let object), .object(let other)?):
            object.members.allSatisfy { $0.key == "isPopular" || $0.value.isKept(in: other[$0.key], as: $0.key) }
        case (.array(let elements), .array(let others)?):
            elements.count == others.count && zip(elements, others).allSatisfy { $0.isKept(in: $1) }
        case (.number(let number), .string(let text)?): name == "id" && number.literal == text
        case (.number(let number), .number(let other)?):
            number.literal == other.literal || Self.isSame(number.literal, other.literal)
        case (.string(let text), .number(let other)?): Self.isSame(text, other.literal)
        default: self == written
        }
    }

    private static func isSame(_ text: String, _ other: String) -> Bool {
        guard let number = Decimal(string: text) else { return false }
        return number == Decimal(string: other)
    }
}
