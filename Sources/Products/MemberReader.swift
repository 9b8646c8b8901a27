import FoundationEssentials
import JSON

/// Reads the members of an object by name. Its errors name the way to the member.
///
/// Products are read through it and not through keyed containers, whose calls, each through two layers of generic code,
/// would make a third of a refresh.
struct MemberReader {
    let object: JSONObject
    private let decoder: any Decoder
    private let path: [any CodingKey]

    /// A reader of the object that a decoder stands at.
    init(_ decoder: any Decoder) throws {
        object = try JSONObject(from: decoder)
        self.decoder = decoder
        path = []
    }

    private init(_ object: JSONObject, _ decoder: any Decoder, _ path: [any CodingKey]) {
        self.object = object
        self.decoder = decoder
        self.path = path
    }

    func string(_ name: String) throws -> String {
        try string(name, member(name))
    }

    func stringIfPresent(_ name: String) throws -> String? {
        try present(name).map { try string(name, $0) }
    }

    private func string(_ name: String, _ value: JSONValue) throws -> String {
        guard case .string(let string) = value else { throw mismatch(name, value, expected: "a string") }
        return string
    }

    /// A string, or a number as its text; never an empty one.
    func identifier(_ name: String) throws -> String {
        switch try member(name) {
        case .string(let text) where !text.isEmpty: return text
        case .number(let number): return number.literal
        default: throw corrupted(name, "expected a non-empty string or a number")
        }
    }

    func integerIfPresent(_ name: String) throws -> Int? {
        guard let value = present(name) else { return nil }
        guard case .number(let number) = value else { throw mismatch(name, value, expected: "a number") }
        guard let integer = number.integer else {
            throw corrupted(name, "\(number.literal) is not an integer that fits Int")
        }
        return integer
    }

    /// A decimal from a number, or from a string that holds one, to the digit.
    func decimal(_ name: String) throws -> ExactDecimal {
        try decimal(name, member(name))
    }

    func decimalIfPresent(_ name: String) throws -> ExactDecimal? {
        try present(name).map { try decimal(name, $0) }
    }

    private func decimal(_ name: String, _ value: JSONValue) throws -> ExactDecimal {
        guard let number = value.number ?? value.string.flatMap(JSONNumber.init(literal:)) else {
            throw mismatch(name, value, expected: "a number")
        }
        guard let decimal = ExactDecimal(number) else {
            throw corrupted(name, "\(number.literal) cannot be kept to the digit")
        }
        return decimal
    }

    /// A reader of the object that a member is.
    func object(_ name: String) throws -> MemberReader {
        try object(name, member(name))
    }

    func objectIfPresent(_ name: String) throws -> MemberReader? {
        try present(name).map { try object(name, $0) }
    }

    private func object(_ name: String, _ value: JSONValue) throws -> MemberReader {
        guard case .object(let object) = value else { throw mismatch(name, value, expected: "an object") }
        return MemberReader(object, decoder, path + [JSONPathKey.name(name)])
    }

    /// The member, unless it is missing or null.
    private func present(_ name: String) -> JSONValue? {
        guard let value = object[name], !value.isNull else { return nil }
        return value
    }

    private func member(_ name: String) throws -> JSONValue {
        guard let value = object[name] else {
            let context = DecodingError.Context(codingPath: decoder.codingPath + path, debugDescription: "missing")
            throw DecodingError.keyNotFound(JSONPathKey.name(name), context)
        }
        return value
    }

    private func mismatch(_ name: String, _ value: JSONValue, expected: String) -> DecodingError {
        .typeMismatch(JSONValue.self, context(name, "expected \(expected), found \(value.kindName)"))
    }

    private func corrupted(_ name: String, _ description: String) -> DecodingError {
        .dataCorrupted(context(name, description))
    }

    private func context(_ name: String, _ description: String) -> DecodingError.Context {
        DecodingError.Context(
            codingPath: decoder.codingPath + path + [JSONPathKey.name(name)], debugDescription: description)
    }
}
