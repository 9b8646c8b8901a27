public import PolymorphicCodable

/// The kinds of product, by the value of `type` that stands for each.
public enum ProductKind: String, Sendable, Hashable, PolymorphicFamily {
    /// Something that is sent by post.
    case physical
    /// Something that is downloaded.
    case digital

    /// Every product, whatever its kind.
    public typealias Base = any Product

    /// The type that holds products of this kind.
    public var type: any Decodable.Type {
        switch self {
        case .physical: PhysicalProduct.self
        case .digital: DigitalProduct.self
        }
    }
}
