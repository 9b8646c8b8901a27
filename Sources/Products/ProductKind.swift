public import PolymorphicCodable

/// The kinds of product, by the value of `type` that stands for each.
public enum ProductKind: String, Sendable, Hashable, KeepingPolymorphicFamily {
    /// Something that is sent by post.
    case physical
    /// Something that is downloaded.
    case digital
    /// Something that is paid for again and again.
    case subscription
    /// Several products sold as one.
    case bundle
    /// Money to be spent later.
    case giftCard

    /// Every product, whatever its kind.
    public typealias Base = any Product

    /// The type that holds products of this kind.
    public var type: any Decodable.Type {
        switch self {
        case .physical: PhysicalProduct.self
        case .digital: DigitalProduct.self
        case .subscription: SubscriptionProduct.self
        case .bundle: BundleProduct.self
        case .giftCard: GiftCardProduct.self
        }
    }

    /// The type that holds products of kinds that are not among these.
    public static var keptType: any Decodable.Type { KeptProduct.self }
}
