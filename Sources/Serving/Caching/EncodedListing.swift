internal import Concurrency
internal import FoundationEssentials
package import HTTPServer
package import Products
internal import Querying

/// One revision of the catalogue, encoded for clients once for each view and language.
///
/// It has its own catalogue object that shares the contents of the original. The encodings are released at the end of
/// the original's lifetime.
package final class EncodedListing: Sendable {
    package let catalogue: Catalogue
    /// The time at which this revision, or the rules of its encoding, came into force.
    package let lastModified: LastModified
    /// The view of the products without changes.
    let plain: EncodedView
    /// The common part of the heads of responses with one product, without a language and in each.
    private let partMemo = HeaderCache()
    private let partMemos: [String: HeaderCache]
    private let views: LazyViews
    let index: CatalogueIndex
    private let pages: CachedResponses
    private let products: CachedResponses
    private let changes: CachedResponses
    private let budget: ResponseMemoryBudget

    /// Encodes the products of a listing, and finds their ids beside that unless they are known.
    /// - Parameter earlier: the listing that this one replaces.
    static func listed(_ listing: ProductsListing, after earlier: EncodedListing?) async -> ListedCatalogue {
        async let ids = listing.answer.snapshot.catalogue.position(ofID: "")
        let listed = listing.encoded(
            after: earlier.map { earlier in
                EarlierListing(of: earlier.catalogue, earlier.index.marks, at: earlier.plain.ranges) {
                    earlier.plain.whole.representation.body.append($0, to: &$1)
                }
            })
        _ = await ids
        return listed
    }

    /// Takes milliseconds for thousands of products: call it off the event loops.
    /// - Parameters:
    ///   - listed: the encoded products, by ``listed(_:after:)``.
    ///   - languages: those that are negotiated.
    ///   - memory: counts the bytes of responses.
    ///   - siblings: the number of listings that are kept at a time, this one included.
    ///   - members: the members by which clients find products besides those of every catalogue.
    init(
        _ listing: ProductsListing, as listed: ListedCatalogue, lastModified: LastModified, languages: [String],
        memory: ResponseMemory, siblings: Int, findable members: FindableMembers = FindableMembers()
    ) {
        let marks = listed.marks
        let catalogue = Catalogue(sharing: listing.answer.snapshot.catalogue)
        self.catalogue = catalogue
        index = CatalogueIndex(catalogue, marks, findable: members)
        self.lastModified = lastModified
        let plain = EncodedView(
            listed.array, entityTag: "\"\(index.revision)-\(ListedCatalogue.form)\"", memory: memory)
        self.plain = plain
        views = LazyViews(of: catalogue, plain, marks, in: languages, memory: memory)
        partMemos = Dictionary(uniqueKeysWithValues: Set(languages).map { ($0, HeaderCache()) })
        // Pages may take twice the bytes of the catalogue. Single products have a smaller cache of their own, so that
        // walking over all of them evicts no page.
        let size = plain.whole.representation.body.count
        pages = CachedResponses(byteLimit: max(1 << 20, 2 * size))
        products = CachedResponses(capacity: 1024, byteLimit: max(1 << 18, size / 2))
        changes = CachedResponses(capacity: 16, byteLimit: 1 << 18)
        // Responses in flight may take eight times those bytes. The caches of all listings come on top, so that cached
        // responses never prevent a new one.
        let cached = siblings * (pages.byteLimit + products.byteLimit + changes.byteLimit)
        budget = ResponseMemoryBudget(memory: memory, limit: cached + max(memory.allowance, 8 * size))
    }

    /// The listing with another modification time, for a revision that returns after another one.
    init(_ other: EncodedListing, lastModified: LastModified) {
        catalogue = other.catalogue
        self.lastModified = lastModified
        plain = other.plain
        (views, partMemos) = (other.views, other.partMemos)
        index = other.index
        (pages, products, changes, budget) = (other.pages, other.products, other.changes, other.budget)
    }

    /// The parts that requests have wanted.
    var wanted: ListingParts {
        var parts = ListingParts(index: index.wantedParts)
        if plain.compressedWhole.isWanted { parts.compressed.insert(ProductsForm()) }
        for (form, view) in views.wanted {
            parts.views.insert(form)
            if view?.compressedWhole.isWanted ?? false { parts.compressed.insert(form) }
        }
        return parts
    }

    /// Makes parts before a request needs them, off the event loops.
    /// - Parameter earlier: the listing that this one replaces, whose unchanged parts are shared.
    /// - Returns: the names of the shared parts of the index.
    @discardableResult
    func prepare(_ parts: ListingParts, after earlier: EncodedListing?) async -> Set<String> {
        let shared = index.prepare(parts.index, after: earlier?.index)
        for form in parts.views {
            guard let view = await views.made(form) else { continue }
            if parts.compressed.contains(form) { await view.prepareCompressed(after: earlier?.views[form]?.lazy.kept) }
        }
        if parts.compressed.contains(ProductsForm()) { await plain.prepareCompressed(after: earlier?.plain) }
        return shared
    }

    /// The common part of the heads of responses with one product in a language that was negotiated, or in none.
    func partMemo(in language: String?) -> HeaderCache {
        language.flatMap { partMemos[$0] } ?? partMemo
    }

    /// The products in a form, which is encoded at its first request unless it was prepared.
    ///
    /// The tag of texts for display is made from their content, since another version of the program may write other texts for the
    /// same revision.
    func view(_ form: ProductsForm) -> Eventual<EncodedView> {
        form.view == nil && form.language == nil ? .ready(plain) : views[form]?.eventual ?? .ready(plain)
    }

    /// The response to a query in a coding, or in identity if that is not longer. It is made off the event loops.
    /// - Parameter query: nil for all products.
    /// - Throws: `PageCursorProblem` when the query's cursor does not belong here, or `ResponseMemoryExhausted`.
    func response(to query: ProductsQuery?, _ coding: ContentCoding) -> Eventual<CachedResponse> {
        guard let query else { return plain.whole(coding) }
        if query.isWholeCatalogue {
            if case .ready(let view) = view(query.form) { return view.whole(coding) }
            return .pending { [self] in try await view(query.form).value.whole(coding).value }
        }
        if let page = pages[.page(query), coding] { return .ready(page) }
        return .pending { [self] in try await page(of: query, coding) }
    }

    /// The tree of categories in a coding, or in identity if that is not longer.
    func categories(_ query: CategoriesQuery, _ coding: ContentCoding) -> Eventual<CachedResponse> {
        if let found = pages[.categories(query), coding] { return .ready(found) }
        return .pending { [self] in
            // What names no category takes no place of a response that is.
            if let under = query.under, !(try await offLoop { [index] in index.hasCategory(under) }) {
                return CachedResponse(Representation(body: HTTPBody(bytes: CategoriesQuery.none)))
            }
            return try await pages.response(to: .categories(query), coding) { [self] in
                if coding == .gzip {
                    let whole = try await categories(query, .identity).value
                    return try await budget.response(besides: whole) { whole.compressed }
                }
                return try await budget.response { [index] in
                    let document = query.document(
                        of: index.categoryTree, separator: index.members.categorySeparator)
                    return CachedResponse(Representation(body: HTTPBody(bytes: document)))
                }
            }
        }
    }

    /// One product in the view and with the members of a query, in a coding, or in identity if that is not longer. It
    /// is made off the event loops.
    /// - Throws: `ResponseMemoryExhausted`.
    func product(
        at position: Int, _ query: ProductsQuery?, _ coding: ContentCoding
    ) -> Eventual<Representation> {
        var ready: EncodedView? = plain
        if let query {
            ready = nil
            if query.fields == nil, case .ready(let view) = view(query.form) { ready = view }
        }
        if case .ready(let product)? = ready?.product(at: position), product.is(coding) { return .ready(product) }
        let form = query?.form ?? ProductsForm()
        let key = CacheKey.product(position, form, fields: query?.fields)
        if let product = products[key, coding] { return .ready(product.representation) }
        return .pending { [self] in try await product(at: position, in: form, query?.fields, coding, as: key) }
    }

    /// The difference from another revision in a coding, or in identity if that is not longer.
    /// - Parameter make: makes it in identity, off the event loops.
    /// - Throws: `ResponseMemoryExhausted`, or the error of `make`.
    func changes(
        since revision: String, as form: ChangesForm, _ coding: ContentCoding,
        make: @escaping @Sendable () async throws -> Representation
    ) async throws -> CachedResponse {
        try await changes.response(to: .changes(since: revision, form), coding) { [self] in
            if coding == .gzip {
                let whole = try await changes(since: revision, as: form, .identity, make: make)
                return try await budget.response(besides: whole) { whole.compressed }
            }
            let made = CachedResponse(try await make())
            return try await budget.response { made }
        }
    }

    private func product(
        at position: Int, in form: ProductsForm, _ fields: ProductFields?, _ coding: ContentCoding, as key: CacheKey
    ) async throws -> Representation {
        let view = try await view(form).value
        if fields == nil, case .ready(let product) = view.product(at: position), product.is(coding) { return product }
        return try await products.response(to: key, coding) { [budget] in
            guard let fields else {
                let product = CachedResponse(try await view.product(at: position).value)
                return coding == .gzip ? try await budget.response(besides: product) { product.compressed } : product
            }
            return try await budget.response {
                let product = CachedResponse(try view.product(at: position, fields: fields))
                return coding == .gzip ? product.compressed : product
            }
        }.representation
    }

    private func page(of query: ProductsQuery, _ coding: ContentCoding) async throws -> CachedResponse {
        switch coding {
        case .identity:
            let view = try await view(query.form).value
            return try await pages.response(to: .page(query), .identity) { [index, budget] in
                try await budget.response(besides: view.whole) {
                    try view.page(
                        try index.page(of: query),
                        form: ProductProjection(
                            fields: query.fields, variants: MatchingVariants(query, index.members, of: index.catalogue))
                    )
                }
            }
        case .gzip:
            return try await pages.response(to: .page(query), .gzip) { [self] in
                let (page, view) = (try await page(of: query, .identity), try await view(query.form).value)
                if page === view.whole { return try await view.whole(.gzip).value }
                return try await budget.response(besides: page) { page.compressed }
            }
        }
    }
}
