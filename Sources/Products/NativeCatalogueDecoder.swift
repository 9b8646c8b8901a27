public import JSON
import PolymorphicCodable

/// Decodes products in the form that this service itself speaks: an array, or an object whose member `products` is one.
public struct NativeCatalogueDecoder: Sendable {
    private static let member = "products"
    private static let expected = "expected an array or an object with \"products\", found"

    /// A decoder of our own form.
    public init() {}

    /// The products in a document. They are decoded as they are read, so the document's tree is never all in memory.
    /// - Throws: `malformed`; the detail names the index and the member, as in `[7312].price.amount: …`.
    public func products(from bytes: [UInt8]) throws(ProductsFailure) -> [any Product] {
        try malformed {
            let (range, path) = try array(in: bytes)
            var products: [any Product] = []
            try JSONParser().forEachElement(of: bytes, in: range) { element, _ in
                products.append(try Self.product(element, at: path + [.index(products.count)]))
            }
            return products
        }
    }

    /// The products in a value.
    /// - Throws: `malformed`, as above.
    public func products(in value: JSONValue) throws(ProductsFailure) -> [any Product] {
        try malformed {
            let (elements, path) = try elements(of: value)
            return try elements.enumerated().map { try Self.product($1, at: path + [.index($0)]) }
        }
    }

    /// The product in a value.
    static func product(_ value: JSONValue, at path: [JSONPathKey]) throws -> any Product {
        try JSONValueDecoder.decode(Polymorphic<ProductKind>.self, from: value, at: path).value
    }

    private func array(in bytes: [UInt8]) throws -> (Range<Int>, path: [JSONPathKey]) {
        let first = bytes.first { !" \t\r\n\u{FEFF}".utf8.contains($0) }
        if first == UInt8(ascii: "[") { return (bytes.indices, []) }
        guard first == UInt8(ascii: "{") else {
            return (bytes.indices, try elements(of: JSONParser().parse(bytes)).path)
        }
        let members = try JSONParser().parseMemberRanges(bytes)
        for member in members where member.key != Self.member { _ = try JSONParser().parse(bytes, in: member.range) }
        guard let found = members.first(where: { $0.key == Self.member }) else {
            throw ProductsFailure.malformed(detail: "\(Self.expected) an object without")
        }
        if bytes[found.range.lowerBound] != UInt8(ascii: "[") {
            _ = try Self.elements(of: JSONParser().parse(bytes, in: found.range), at: [.name(Self.member)])
        }
        return (found.range, [.name(Self.member)])
    }

    private func elements(of value: JSONValue) throws -> ([JSONValue], path: [JSONPathKey]) {
        guard case .object(let object) = value else {
            guard case .array(let elements) = value else {
                throw ProductsFailure.malformed(detail: "\(Self.expected) \(value.kindName)")
            }
            return (elements, [])
        }
        guard let inner = object[Self.member] else {
            throw ProductsFailure.malformed(detail: "\(Self.expected) an object without")
        }
        return (try Self.elements(of: inner, at: [.name(Self.member)]), [.name(Self.member)])
    }

    private static func elements(of value: JSONValue, at path: [JSONPathKey]) throws -> [JSONValue] {
        try JSONValueDecoder.decode([JSONValue].self, from: value, at: path)
    }

    private func malformed(_ body: () throws -> [any Product]) throws(ProductsFailure) -> [any Product] {
        do {
            return try body()
        } catch {
            throw ProductsFailure(decoding: error)
        }
    }
}
