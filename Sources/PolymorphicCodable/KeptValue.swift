/// A value of unknown type, read by any decoder and written back unchanged.
///
/// Integers are exact from `Int64.min` to `UInt64.max`; other numbers are as exact as the decoder's `Double`. Other
/// types of a format, such as the dates of a property list, are an error.
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

extension KeptValue: Codable {
    /// Reads any value, by trying one form after the other.
    public init(from decoder: any Decoder) throws {
        if let scalar = Self.scalar(in: decoder) {
            self = scalar
        } else if var container = try? decoder.unkeyedContainer() {
            self = .array(try Self.elements(in: &container))
        } else if let container = try? decoder.container(keyedBy: KeptKey.self) {
            self = .object(try KeptObject(in: container))
        } else {
            let context = DecodingError.Context(
                codingPath: decoder.codingPath, debugDescription: "not a value that can be kept")
            throw DecodingError.dataCorrupted(context)
        }
    }

    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .array(let elements): try Self.encode(elements, to: encoder)
        case .object(let object): try object.encode(to: encoder)
        default:
            var container = encoder.singleValueContainer()
            try encodeScalar(into: &container)
        }
    }

    private static func scalar(in decoder: any Decoder) -> KeptValue? {
        guard let container = try? decoder.singleValueContainer() else { return nil }
        if container.decodeNil() { return .null }
        if let bool = try? container.decode(Bool.self) { return .bool(bool) }
        if let integer = try? container.decode(Int64.self) { return .integer(integer) }
        if let integer = try? container.decode(UInt64.self) { return .unsigned(integer) }
        if let double = try? container.decode(Double.self) { return .double(double) }
        return (try? container.decode(String.self)).map(KeptValue.string)
    }

    /// Does not check the elements for null first: with some decoders that advances the container.
    private static func elements(in container: inout any UnkeyedDecodingContainer) throws -> [KeptValue] {
        var elements: [KeptValue] = []
        while !container.isAtEnd {
            elements.append(try container.decode(KeptValue.self))
        }
        return elements
    }

    private static func encode(_ elements: [KeptValue], to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for element in elements {
            try container.encode(element)
        }
    }

    private func encodeScalar(into container: inout any SingleValueEncodingContainer) throws {
        switch self {
        case .null, .array, .object: try container.encodeNil()
        case .bool(let bool): try container.encode(bool)
        case .integer(let integer): try container.encode(integer)
        case .unsigned(let integer): try container.encode(integer)
        case .double(let double): try container.encode(double)
        case .string(let string): try container.encode(string)
        }
    }
}

/// The members of an object of unknown type.
///
/// They have the decoder's order, which is that of the document if the decoder keeps it, and are written in that order.
/// Objects are equal if their members are, in any order.
public struct KeptObject: Sendable {
    /// The names, in order.
    public let names: [String]
    private let values: [String: KeptValue]

    /// Members by name and in order; of two with one name, the first counts.
    public init(members: [(name: String, value: KeptValue)]) {
        values = Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
        var seen: Set<String> = []
        names = members.map(\.name).filter { seen.insert($0).inserted }
    }

    /// The value of a member.
    public subscript(name: String) -> KeptValue? {
        values[name]
    }
}

extension KeptObject: Hashable {
    /// Whether both have the same members.
    public static func == (left: KeptObject, right: KeptObject) -> Bool {
        left.values == right.values
    }

    /// Hashes the members, without their order.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(values)
    }
}

extension KeptObject: ExpressibleByDictionaryLiteral {
    /// Members by name and in order; of two with one name, the first counts.
    public init(dictionaryLiteral elements: (String, KeptValue)...) {
        self.init(members: elements.map { ($0.0, $0.1) })
    }
}

extension KeptObject: Codable {
    /// Reads all members.
    public init(from decoder: any Decoder) throws {
        try self.init(in: decoder.container(keyedBy: KeptKey.self))
    }

    init(in container: KeyedDecodingContainer<KeptKey>) throws {
        self.init(
            members: try container.allKeys.map { key in
                (key.stringValue, try container.decode(KeptValue.self, forKey: key))
            })
    }

    /// Writes the members in their order.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: KeptKey.self)
        for name in names {
            guard let value = self[name] else { continue }
            try container.encode(value, forKey: KeptKey(stringValue: name))
        }
    }
}

/// The name of a member that no type of the program declares.
struct KeptKey: CodingKey {
    let stringValue: String

    var intValue: Int? { nil }

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) {
        return nil
    }
}
