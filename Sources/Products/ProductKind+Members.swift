extension ProductKind {
    /// What the kind is, as a part of a sentence.
    public var meaning: String {
        switch self {
        case .physical: "something that is sent by post"
        case .digital: "something that is downloaded"
        case .subscription: "something that is paid for again and again"
        case .bundle: "several products sold as one"
        case .giftCard: "money to be spent later"
        }
    }

    /// What clients get of products of this kind beside ``ProductDetails/members``.
    public var members: [MemberDescription] {
        switch self {
        case .physical:
            [
                .sometimes(ProductMember.weight, .decimal, "what it weighs, in the source's unit"),
                .sometimes(
                    ProductMember.dimensions, .object(Dimensions.memberDescriptions),
                    "how big it is, in the source's unit"),
            ]
        case .digital:
            [
                .sometimes(ProductMember.downloadURL, .text, "where it is downloaded from"),
                .sometimes(ProductMember.size, .integer, "how long the download is, in bytes"),
            ]
        case .subscription:
            [
                .always(ProductMember.interval, .filledText, "how often its price is due, in the source's words"),
                .sometimes(ProductMember.trialDays, .integer, "how many days it can be tried before the first payment"),
            ]
        case .bundle:
            [
                .always(ProductMember.products, .list(.product), "what is in it"),
                .sometimes(ProductMember.addOn, .product, "what can be had with it for more"),
            ]
        case .giftCard:
            [
                .always(
                    ProductMember.denominations, .list(.decimal),
                    "the amounts it can be had with, in the currency of its price")
            ]
        }
    }
}
