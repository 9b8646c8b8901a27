extension ProductDetails {
    /// What clients get of products of every kind, apart from `type`. It stands in ``ProductsListing/encoded()``.
    public static let members: [MemberDescription] = [
        .always(ProductMember.id, .filledText, "what tells the product from all others"),
        .always(ProductMember.name, .text, "what people call it"),
        .always(ProductMember.price, .object(Price.memberDescriptions), "what one costs"),
        .always(ProductMember.sales, .integer, "how many have been sold"),
        .sometimes(ProductMember.description, .text, "a text about it"),
        .sometimes(ProductMember.imageURL, .text, "where a picture of it is"),
        .sometimes(ProductMember.category, .text, "what it is listed under"),
        .sometimes(
            ProductMember.isPopular, .flag, "whether it sells well; not said of products within a bundle"),
    ]
}
