public import JSON
import PolymorphicCodable

/// Decodes products in the form that this service itself speaks: an array, or an object whose member `products` is one.
public struct NativeCatalogueDecoder: Sendable {
    /// A decoder of our own form.
    public init() {}

    /// The products in a document.
    /// - Throws: `malformed`; the detail names the index and the member, as in `[7312].price.amount: …`.
    public func products(from bytes: [UInt8]) throws(ProductsFailure) -> [any Product] {
        do {
            return try products(in: JSONParser().parse(bytes))
        } catch let error as JSONSyntaxError {
            throw .malformed(detail: "invalid JSON at \(error)")
        } catch let error as ProductsFailure {
            throw error
        } catch {
            throw .malformed(detail: "\(error)")
        }
    }

    /// The products in a value.
    /// - Throws: `malformed`, as above.
    public func products(in value: JSONValue) throws(ProductsFailure) -> [any Product] {
        switch value {
        case .array:
            return try decode { try JSONValueDecoder.decode([Polymorphic<ProductKind>].self, from: value).map(\.value) }
        case .object(let object) where object["products"] != nil:
            return try decode { try JSONValueDecoder.decode(Envelope.self, from: value).products }
        case .object:
            throw .malformed(detail: "expected an array or an object with \"products\", found an object without")
        default:
            throw .malformed(detail: "expected an array or an object with \"products\", found \(value.kindName)")
        }
    }

    private func decode(_ body: () throws -> [any Product]) throws(ProductsFailure) -> [any Product] {
        do {
            return try body()
        } catch let error as DecodingError {
            throw .malformed(detail: error.jsonSummary)
        } catch {
            throw .malformed(detail: "\(error)")
        }
    }

    private struct Envelope: Decodable {
        let products: [any Product]

        private enum CodingKeys: String, CodingKey {
            case products
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            products = try container.decodePolymorphic([ProductKind].self, forKey: .products)
        }
    }
}
