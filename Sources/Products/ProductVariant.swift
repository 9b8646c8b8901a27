/// A product as one of all the kinds there are, so that a switch over kinds is checked for completeness.
public enum ProductVariant: Sendable {
    /// Something that is sent by post.
    case physical(PhysicalProduct)
    /// Something that is downloaded.
    case digital(DigitalProduct)
    /// Something that is paid for again and again.
    case subscription(SubscriptionProduct)
    /// Several products sold as one.
    case bundle(BundleProduct)
    /// Money to be spent later.
    case giftCard(GiftCardProduct)
    /// Something of a kind that is not known here.
    case kept(KeptProduct)
}
