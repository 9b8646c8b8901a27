internal import JSON
internal import Text

/// Reads the members of an object by name. Its errors hold the path of the member.
///
/// Keyed containers would take longer, because each call passes two layers of generic code.
struct MemberReader {
    let object: JSONObject
    private let decoder: any Decoder
    private let path: [any CodingKey]

    var codingPath: [any CodingKey] { decoder.codingPath + path }

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

    /// The members with names other than these, in their order. All of these must be present.
    func others(than known: Set<String>) -> JSONObject {
        guard object.count > known.count else { return JSONObject() }
        var others = JSONObject()
        for member in object.members where !known.contains(member.key) { others[member.key] = member.value }
        return others
    }

    func string(_ name: String) throws -> String {
        try string(name, member(name))
    }

    /// A string that is not empty.
    func text(_ name: String) throws -> String {
        let text = try string(name)
        guard !text.isEmpty else { throw corrupted(name, "expected a non-empty string") }
        return text
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

    func object(_ name: String) throws -> MemberReader {
        try object(name, member(name))
    }

    func objectIfPresent(_ name: String) throws -> MemberReader? {
        try present(name).map { try object(name, $0) }
    }

    private func object(_ name: String, _ value: JSONValue, at index: Int? = nil) throws -> MemberReader {
        guard case .object(let object) = value else {
            throw mismatch(name, value, expected: "an object", at: index)
        }
        return MemberReader(
            object, decoder, path + [JSONPathKey.name(name)] + (index.map { [JSONPathKey.index($0)] } ?? []))
    }

    /// The objects of an array; nil for a value of another form.
    func objectsIfPresent(_ name: String) throws -> [MemberReader]? {
        guard let elements = present(name)?.array else { return nil }
        return try elements.enumerated().map { try object(name, $1, at: $0) }
    }

    /// The members as a container, for those that are decoded by their own type.
    func container(userInfo: [CodingUserInfoKey: Any]) throws -> KeyedDecodingContainer<JSONPathKey> {
        let here = JSONValueDecoder(.object(object), at: codingPath, userInfo: userInfo)
        return try here.container(keyedBy: JSONPathKey.self)
    }

    /// The member, unless it is missing or null.
    func present(_ name: String) -> JSONValue? {
        guard let value = object[name], !value.isNull else { return nil }
        return value
    }

    func member(_ name: String) throws -> JSONValue {
        guard let value = object[name] else {
            let context = DecodingError.Context(codingPath: codingPath, debugDescription: "missing")
            throw DecodingError.keyNotFound(JSONPathKey.name(name), context)
        }
        return value
    }

    func mismatch(_ name: String, _ value: JSONValue, expected: String, at index: Int? = nil) -> DecodingError {
        .typeMismatch(JSONValue.self, context(name, index, "expected \(expected), found \(value.excerpt)"))
    }

    func corrupted(_ name: String, _ description: String, at index: Int? = nil) -> DecodingError {
        .dataCorrupted(context(name, index, description))
    }

    private func context(_ name: String, _ index: Int?, _ description: String) -> DecodingError.Context {
        let element = index.map { [JSONPathKey.index($0)] } ?? []
        return DecodingError.Context(
            codingPath: codingPath + [JSONPathKey.name(name)] + element, debugDescription: description)
    }

    /// An integer from a number, or from a string that holds one.
    func integerIfPresent(_ name: String) throws -> Int? {
        guard let value = present(name) else { return nil }
        guard let number = value.number ?? value.string.flatMap(JSONNumber.init(literal:)) else {
            throw mismatch(name, value, expected: "a number")
        }
        guard let integer = number.integer else {
            throw corrupted(name, "\(TextExcerpt(number.literal)) is not an integer that fits Int")
        }
        return integer
    }

    /// An exact decimal from a number, or from a string that holds one.
    func decimal(_ name: String) throws -> ExactDecimal {
        try decimal(name, member(name))
    }

    func decimalIfPresent(_ name: String) throws -> ExactDecimal? {
        try present(name).map { try decimal(name, $0) }
    }

    func decimals(_ name: String) throws -> [ExactDecimal] {
        let value = try member(name)
        guard case .array(let elements) = value else { throw mismatch(name, value, expected: "an array") }
        return try elements.enumerated().map { try decimal(name, $1, at: $0) }
    }

    private func decimal(_ name: String, _ value: JSONValue, at index: Int? = nil) throws -> ExactDecimal {
        guard let number = value.number ?? value.string.flatMap(JSONNumber.init(literal:)) else {
            throw mismatch(name, value, expected: "a number", at: index)
        }
        guard let decimal = ExactDecimal(number) else {
            throw corrupted(name, "\(TextExcerpt(number.literal)) cannot be kept to the digit", at: index)
        }
        return decimal
    }
}

/// The path of a member that is encoded, for errors. Taken as an autoclosure, because it is rarely needed.
struct MemberPath {
    private let encoder: any Encoder
    private var keys: [JSONPathKey] = []

    init(_ encoder: any Encoder) {
        self.encoder = encoder
    }

    var codingPath: [any CodingKey] { encoder.codingPath + keys }

    subscript(name: String) -> MemberPath { appending(.name(name)) }

    subscript(index: Int) -> MemberPath { appending(.index(index)) }

    private func appending(_ key: JSONPathKey) -> MemberPath {
        var path = self
        path.keys.append(key)
        return path
    }
}
