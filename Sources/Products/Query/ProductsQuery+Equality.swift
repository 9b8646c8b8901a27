extension ProductsQuery {
    /// Queries are equal when their texts are spelt alike as well, composed or decomposed. `String` takes both for one,
    /// but a ``PageCursor`` belongs to the texts as they came: whoever keeps pages by their queries must not answer the
    /// one spelling with a cursor of the other.
    public static func == (left: ProductsQuery, right: ProductsQuery) -> Bool {
        left.popular == right.popular && left.limit == right.limit && left.cursor == right.cursor
            && left.view == right.view && left.sort == right.sort && left.fields == right.fields
            && left.minPrice == right.minPrice && left.maxPrice == right.maxPrice && left.words == right.words
            && areSpeltAlike(left.types, right.types) && areSpeltAlike(left.categories, right.categories)
            && areSpeltAlike(left.ids, right.ids)
    }

    private static func areSpeltAlike(_ left: Set<String>?, _ right: Set<String>?) -> Bool {
        guard let left, let right else { return left == right }
        return left.count == right.count
            && right.allSatisfy { text in
                left.firstIndex(of: text).map { left[$0].utf8.elementsEqual(text.utf8) } ?? false
            }
    }
}
