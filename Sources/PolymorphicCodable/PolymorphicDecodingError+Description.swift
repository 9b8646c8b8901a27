extension PolymorphicDecodingError: CustomStringConvertible {
    /// The sentence, as `[3].type: unknown kind "gift"; known are "physical", "digital"`.
    public var description: String {
        switch self {
        case .missingDiscriminator(_, let known): "\(place): missing; known are \(Self.list(known))"
        case .discriminatorNotText(_, let known): "\(place): expected a string; known are \(Self.list(known))"
        case .unknownDiscriminator(let found, _, let known):
            "\(place): unknown kind \"\(found)\"; known are \(Self.list(known))"
        case .foreignType(let kind, let type, let base, _):
            "\(place): the type of kind \"\(kind)\", \(type), is not \(base)"
        }
    }

    private var place: String {
        var text = ""
        for key in codingPath {
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
        return text.isEmpty ? "root" : text
    }

    private static func list(_ known: [String]) -> String {
        known.map { "\"\($0)\"" }.joined(separator: ", ")
    }
}
