public import FoundationEssentials

/// Which products of a catalogue are wanted, in which order, and how many at a time.
///
/// A filter that is nil lets every product through; a product must pass all of them. Texts are compared with those of
/// products as `String` compares, so that composed and decomposed accents are the same, and case counts everywhere but
/// in `words`. Queries are equal only where their texts are spelt alike.
public struct ProductsQuery: Sendable, Hashable {
    /// Products whose `type` is one of these; a type that no product has is no mistake, since kinds can be kept.
    public var types: Set<ExactText>?
    /// Products whose category is one of these. A product without category is in none.
    public var categories: Set<ExactText>?
    /// Products that are popular, or those that are not.
    public var popular: Bool?
    /// Products with these ids. An id that no product has is no mistake, and their order is not that of the answer.
    public var ids: Set<ExactText>?
    /// Products in whose name, description and category each of these words occurs, as a word or as a part of one.
    public var words: Set<SearchWord>
    /// Products that cost so much or more. Amounts are compared as they are, whatever their currency: a catalogue of
    /// several currencies needs a narrower filter beside it.
    public var minPrice: Decimal?
    /// Products that cost so much or less, in whatever currency.
    public var maxPrice: Decimal?
    /// What the products are sorted by, the first key first. Products alike in all of them stay in catalogue order, and
    /// so do all products when there is no key.
    public var sort: [ProductsSortKey]
    /// How many products a page has at most; nil for all that are left.
    public var limit: Int?
    /// Where the page begins; nil for the first one.
    public var cursor: PageCursor?
    /// The members that are wanted of each product; nil for all.
    public var fields: ProductFields?
    /// How the products are shown; nil for as they are.
    public var view: ProductsView?

    /// A query; without arguments, the one for the whole catalogue.
    /// - Parameter text: what is searched for, cut into words; one without a word lets every product through.
    public init(
        types: Set<ExactText>? = nil, categories: Set<ExactText>? = nil, popular: Bool? = nil,
        ids: Set<ExactText>? = nil, text: String = "", minPrice: Decimal? = nil, maxPrice: Decimal? = nil,
        sort: [ProductsSortKey] = [], limit: Int? = nil, cursor: PageCursor? = nil, fields: ProductFields? = nil,
        view: ProductsView? = nil
    ) {
        self.types = types
        self.categories = categories
        self.popular = popular
        self.ids = ids
        words = SearchWord.words(of: text)
        self.minPrice = minPrice
        self.maxPrice = maxPrice
        self.sort = sort
        self.limit = limit
        self.cursor = cursor
        self.fields = fields
        self.view = view
    }

    /// Whether the answer is all products, whole and in catalogue order, in whatever view: nothing has to be looked up.
    public var isWholeCatalogue: Bool {
        var rest = self
        rest.view = nil
        return rest == ProductsQuery()
    }
}
