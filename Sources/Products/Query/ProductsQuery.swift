public import FoundationEssentials
import Hashing
import JSON

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

    /// What stands for the filters and the order in a ``PageCursor``: equal for queries whose pages fit together.
    var fingerprint: UInt64 {
        var selection = JSONObject(minimumCapacity: 8)
        for parameter in ProductsQueryParameter.allCases {
            if let (name, value) = selected(by: parameter) { selection[name] = value }
        }
        return SHA256Digest(of: JSONValue.object(selection).encoded()).words[0]
    }

    /// What a parameter selects or orders; nil where it does neither, and the client may change it from page to page.
    private func selected(by parameter: ProductsQueryParameter) -> (name: String, value: JSONValue)? {
        switch parameter {
        case .limit, .cursor, .fields, .view: nil
        case .type: types.map { ("types", Self.list($0.map(\.text))) }
        case .category: categories.map { ("categories", Self.list($0.map(\.text))) }
        case .popular: popular.map { ("popular", .bool($0)) }
        case .ids: ids.map { ("ids", Self.list($0.map(\.text))) }
        case .q: ("words", Self.list(words.map(\.folded)))
        case .minPrice: minPrice.map { ("minPrice", Self.number($0)) }
        case .maxPrice: maxPrice.map { ("maxPrice", Self.number($0)) }
        case .sort: ("sort", .array(sort.map { .string($0.description) }))
        }
    }

    /// The amount in the one notation that equal amounts have.
    private static func number(_ amount: Decimal) -> JSONValue {
        ExactDecimal(amount).digits.map(JSONValue.number) ?? .string(amount.description)
    }

    /// In the order of their bytes: in that of `String` some that differ have none.
    private static func list(_ texts: [String]) -> JSONValue {
        .array(texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map(JSONValue.string))
    }

    /// Roughly how many bytes of memory the query takes, for those who keep queries and have to stay within bounds. Lists
    /// of a client's may have thousands of elements.
    public var approximateSize: Int {
        let lists = [types, categories, ids].compactMap(\.self).joined().map(\.text)
        let texts = lists + (fields?.names ?? []) + words.map(\.folded)
        return MemoryLayout<ProductsQuery>.size + texts.reduce(0) { $0 + Self.overhead + $1.utf8.count }
    }

    /// A text has its bytes in an object of their own, and a place in a set that may be half empty.
    private static let overhead = 80
}

/// How products are shown when they are not shown as they are: the values of the query parameter `view`.
public enum ProductsView: String, CaseIterable, Sendable {
    /// As texts for a shop's page.
    case display
}

/// How long pages may be.
public struct PageLimits: Sendable, Hashable {
    /// How many products a page has when the query does not say; nil for the whole catalogue.
    public let whenNotGiven: Int?
    /// How many products a query may ask for.
    public let greatest: Int

    /// Limits, as the config file has them.
    /// - Parameter whenNotGiven: nil, or zero, for the whole catalogue.
    public init(whenNotGiven: Int? = nil, greatest: Int = 1000) {
        self.whenNotGiven = whenNotGiven.flatMap { $0 > 0 ? $0 : nil }
        self.greatest = greatest
    }
}

/// A text that is equal to another only where both are spelt alike, composed or decomposed.
///
/// `String` takes both spellings for one. A ``PageCursor`` belongs to the texts as they came, so a cache that keeps pages
/// by their queries must tell them apart.
public struct ExactText: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The text.
    public let text: String

    /// A text as it is spelt.
    public init(_ text: String) {
        self.text = text
    }

    /// A text as it is spelt.
    public init(stringLiteral text: String) {
        self.init(text)
    }

    /// Whether both have the same UTF-8 form.
    public static func == (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// Hashes the UTF-8 form.
    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
