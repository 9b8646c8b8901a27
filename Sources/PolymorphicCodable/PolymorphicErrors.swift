/// A faulty discriminator: its place, the found value, and the valid ones.
public enum PolymorphicDecodingError: Error {
    /// The discriminator is missing or null.
    case missingDiscriminator(codingPath: [any CodingKey], known: [String])
    /// The discriminator is not a string; `found` describes it, as `7` or `an array`.
    case discriminatorNotText(found: String, codingPath: [any CodingKey], known: [String])
    /// The discriminator names no kind of the family.
    case unknownDiscriminator(String, codingPath: [any CodingKey], known: [String])
    /// The family itself is wrong: its type for a kind is not of the family's base.
    case foreignType(kind: String, type: String, base: String, codingPath: [any CodingKey])

    /// The error about a discriminator in an error of a decoder; nil if there is none. Some decoders wrap the errors of
    /// others.
    public init?(in error: any Error) {
        if let found = error as? PolymorphicDecodingError {
            self = found
        } else if case DecodingError.dataCorrupted(let context) = error, let underlying = context.underlyingError {
            self.init(in: underlying)
        } else {
            return nil
        }
    }

    /// The place of the discriminator; the place of the value if the family is wrong.
    public var codingPath: [any CodingKey] {
        switch self {
        case .missingDiscriminator(let path, _), .discriminatorNotText(_, let path, _),
            .unknownDiscriminator(_, let path, _), .foreignType(_, _, _, let path):
            path
        }
    }
}

extension PolymorphicDecodingError: CustomStringConvertible {
    /// The sentence, as `[3].type: unknown kind "hexagon"; known are "circle", "square"`.
    public var description: String {
        let place = Wording.place(codingPath)
        return switch self {
        case .missingDiscriminator(_, let known): "\(place): missing; known are \(Wording.quoted(known))"
        case .discriminatorNotText(let found, _, let known):
            "\(place): expected a string, found \(Wording.excerpt(found)); known are \(Wording.quoted(known))"
        case .unknownDiscriminator(let found, _, let known):
            "\(place): unknown kind \"\(Wording.excerpt(found))\"; known are \(Wording.quoted(known))"
        case .foreignType(let kind, let type, let base, _):
            "\(place): the type of kind \"\(kind)\", \(type), is not \(base)"
        }
    }
}

/// A value that cannot be encoded so that its family could decode it.
public enum PolymorphicEncodingError: Error {
    /// The family cannot determine the value's kind from its type, and the value writes no discriminator itself.
    case missingDiscriminator(type: String, codingPath: [any CodingKey], known: [String])
    /// The value writes a discriminator that is not a kind of its type.
    case otherDiscriminator(found: String, codingPath: [any CodingKey], expected: [String])
    /// The value does not encode itself as an object, so there is no place for a discriminator.
    case notAnObject(type: String, codingPath: [any CodingKey])
    /// The value's type is not `Encodable`.
    case notEncodable(type: String, codingPath: [any CodingKey])

    /// The error about a value in an error of an encoder; nil if there is none. Some encoders wrap the errors of
    /// others.
    public init?(in error: any Error) {
        if let found = error as? PolymorphicEncodingError {
            self = found
        } else if case EncodingError.invalidValue(_, let context) = error, let underlying = context.underlyingError {
            self.init(in: underlying)
        } else {
            return nil
        }
    }

    /// The place of the discriminator, or of the value.
    public var codingPath: [any CodingKey] {
        switch self {
        case .missingDiscriminator(_, let path, _), .otherDiscriminator(_, let path, _), .notAnObject(_, let path),
            .notEncodable(_, let path):
            path
        }
    }
}

extension PolymorphicEncodingError: CustomStringConvertible {
    /// The sentence, as `[3].type: Hexagon is of no kind and writes none; known are "circle", "square"`.
    public var description: String {
        let place = Wording.place(codingPath)
        return switch self {
        case .missingDiscriminator(let type, _, let known):
            "\(place): \(type) is of no kind and writes none; known are \(Wording.quoted(known))"
        case .otherDiscriminator(let found, _, let expected):
            "\(place): \(found) is written by a value of kind \(Wording.quoted(expected))"
        case .notAnObject(let type, _): "\(place): \(type) is not written as an object"
        case .notEncodable(let type, _): "\(place): \(type) is not Encodable"
        }
    }
}

/// The parts of both errors' sentences.
private enum Wording {
    /// `[3].answers[0].type`, or `root` for the value itself.
    static func place(_ path: [any CodingKey]) -> String {
        var text = ""
        for key in path {
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
        return text.isEmpty ? "root" : text
    }

    /// `"a", "b"`.
    static func quoted(_ words: [String]) -> String {
        words.map { "\"\($0)\"" }.joined(separator: ", ")
    }

    /// A text from outside, cut so that it does not fill a log.
    static func excerpt(_ text: String) -> String {
        let start = text.unicodeScalars.prefix(100)
        return start.endIndex == text.endIndex ? text : String(start) + "…"
    }
}
