import FoundationEssentials
import JSON
import PolymorphicCodable
import Yams

/// The encoders and decoders that every test runs over.
enum Codec: String, CaseIterable {
    /// Foundation's JSON.
    case json
    /// JSON that is decoded from a tree which knows the order of members, and encoded without one.
    case orderedJSON
    case yaml
    case propertyList

    func encode(_ value: some Encodable) throws -> [UInt8] {
        switch self {
        case .json:
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return try [UInt8](encoder.encode(value))
        case .orderedJSON: return try JSONByteEncoder.encode(value)
        case .yaml:
            let encoder = YAMLEncoder()
            encoder.options.sortKeys = true
            return try Array(encoder.encode(value).utf8)
        case .propertyList: return try [UInt8](PropertyListEncoder().encode(value))
        }
    }

    func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: [UInt8], unknown: UnknownKinds? = nil
    ) throws -> Value {
        switch self {
        case .json:
            let decoder = JSONDecoder()
            decoder.userInfo[.unknownKinds] = unknown
            return try decoder.decode(type, from: Data(bytes))
        case .orderedJSON:
            let value = try JSONParser().parse(bytes)
            return try Value(from: JSONValueDecoder(value, userInfo: userInfo(unknown)))
        case .yaml:
            return try YAMLDecoder().decode(
                type, from: String(decoding: bytes, as: UTF8.self), userInfo: userInfo(unknown))
        case .propertyList:
            let decoder = PropertyListDecoder()
            decoder.userInfo[.unknownKinds] = unknown
            return try decoder.decode(type, from: Data(bytes))
        }
    }

    /// Decodes what is written down as JSON, by way of the form of this codec.
    func decode<Value: Decodable>(
        _ type: Value.Type, json: String, unknown: UnknownKinds? = nil
    ) throws -> Value {
        let content = try JSONDecoder().decode(KeptValue.self, from: Data(json.utf8))
        return try decode(type, from: encode(content), unknown: unknown)
    }

    private func userInfo(_ unknown: UnknownKinds?) -> [CodingUserInfoKey: Any] {
        unknown.map { [.unknownKinds: $0] } ?? [:]
    }
}
