extension DisplayedCatalogue {
    /// What clients get of each product in this view, in its order.
    public static let members: [MemberDescription] = [
        .always("id", .filledText, "what tells the product from all others"),
        .always("type", .text, "the product's kind"),
        .always("title", .text, "the heading"),
        .sometimes("subtitle", .text, "one line below the heading"),
        .always("priceLabel", .text, "what it costs, such as 19.99 EUR"),
        .sometimes("image", .text, "where a picture is"),
        .sometimes("badge", .text, "a word or two that stand out"),
        .sometimes("summary", .text, "one line about what it is"),
        .always("selectable", .flag, "whether it can be put into a basket as it stands"),
    ]
}
