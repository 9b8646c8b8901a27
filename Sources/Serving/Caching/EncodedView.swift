internal import Concurrency
internal import HTTPServer
internal import Products
internal import Querying

/// One view of a revision, encoded for clients.
///
/// The response with a single product is a slice of the whole, and a page is assembled from such slices.
final class EncodedView: Sendable {
    /// The response with all products.
    let whole: CachedResponse
    /// The response with all products in gzip, or in identity if that is not longer.
    let compressedWhole: WantedLazy<CachedResponse>
    /// The range of each product in the whole response.
    let ranges: ProductRanges
    /// The language of the texts; nil if it was not negotiated.
    private let language: String?
    /// The responses with one product each, by position, in blocks that are empty before their first request. Each is
    /// kept, since the hash for its tag costs more than the rest of a response.
    private let products: Mutex<[[Representation?]]>
    /// The products of a block. The places for a million would take an event loop thirty milliseconds.
    private static let block = 1024
    /// The size up to which a hash takes less than a tenth of a millisecond.
    private static let quickSize = 64 << 10
    /// Packs the whole response.
    let gzip: SharedGzip
    /// Lives as long as the view, after which only slow readers keep the whole responses.
    private let presence = Presence()

    private final class Presence: Sendable {}

    /// - Parameters:
    ///   - array: the document with the products.
    ///   - entityTag: a strong tag for the document; without one it is a hash of the content.
    ///   - language: the language of the texts, if it was negotiated; becomes a part of each tag.
    ///   - memory: counts the bytes of the documents until the last connection has sent them.
    init(
        _ array: EncodedArray, entityTag: String? = nil, language: String? = nil,
        memory: ResponseMemory = ResponseMemory()
    ) {
        self.language = language
        let document = HTTPBody(owning: array.bytes)
        let body = document.counted(by: memory.shared(document, as: presence))
        ranges = array.ranges
        products = Mutex(Array(repeating: [], count: ranges.count / Self.block + 1))
        let whole = CachedResponse(Representation(body: body, entityTag: entityTag, language: language))
        self.whole = whole
        let gzip = SharedGzip()
        self.gzip = gzip
        compressedWhole = WantedLazy { [presence, ranges] in
            let compressed = whole.compressed { gzip.packed($0, itemsAt: ranges.map(\.lowerBound)) }
            if compressed === whole { return whole }
            let body = compressed.representation.body
            return compressed.with(body.counted(by: memory.shared(body, as: presence)))
        }
    }

    /// Makes the response with all products in gzip before a request needs it.
    /// - Parameter earlier: the view whose packed segments are taken over where their products are the same.
    func prepareCompressed(after earlier: EncodedView?) async {
        gzip.begin(after: earlier?.gzip)
        _ = await compressedWhole.lazy.made()
        gzip.end()
    }

    /// The response with all products in a coding, or in identity if that is not longer.
    func whole(_ coding: ContentCoding) -> Eventual<CachedResponse> {
        switch coding {
        case .identity: .ready(whole)
        case .gzip: compressedWhole.eventual
        }
    }

    /// Appends the product at a position of the catalogue, as encoded in the whole.
    func append(productAt position: Int, to bytes: inout [UInt8]) {
        whole.representation.body.append(ranges[position], to: &bytes)
    }

    /// The response with only the product at a position of the catalogue, ready if it is cached or quick to make.
    /// Otherwise make it off the event loops, since a product may be of any size.
    func product(at position: Int) -> Eventual<Representation> {
        let (block, place) = position.quotientAndRemainder(dividingBy: Self.block)
        if let known = products.withLock({ $0[block].isEmpty ? nil : $0[block][place] }) { return .ready(known) }
        if ranges[position].count <= Self.quickSize { return .ready(made(position)) }
        return .pending { [self] in made(position) }
    }

    private func made(_ position: Int) -> Representation {
        let product = Representation(
            body: whole.representation.body.slice(ranges[position]), language: language)
        let (block, place) = position.quotientAndRemainder(dividingBy: Self.block)
        products.withLock { products in
            if products[block].isEmpty { products[block] = Array(repeating: nil, count: Self.block) }
            products[block][place] = product
        }
        return product
    }

    /// The response with some members of one product. Call it off the event loops, since a product may be of any size.
    func product(at position: Int, fields: ProductFields) throws -> Representation {
        let product = whole.representation.body.slice(ranges[position]).bytes
        return Representation(
            body: HTTPBody(bytes: try fields.projection(of: product[...])), language: language)
    }

    /// The response with a page; the whole one if it has the same bytes. It may take milliseconds: call it off the
    /// event loops.
    /// - Parameter form: the wanted parts of each product.
    func page(_ page: ProductsPage, form: ProductProjection) throws -> CachedResponse {
        if form.isWhole, isWhole(page) { return whole }
        var (document, summary) = (EncodedArray.documentHead, [UInt8]())
        page.appendSummary(to: &summary)
        if form.isWhole {
            document.reserveCapacity(
                page.positions.reduce(document.count + summary.count + 3) { $0 + ranges[$1].count + 1 })
        }
        try page.append(to: &document, form: form) { whole.representation.body.append(ranges[$0], to: &$1) }
        document += summary
        document.append(UInt8(ascii: "}"))
        return CachedResponse(
            Representation(body: HTTPBody(bytes: document), language: language), next: page.next?.text)
    }

    private func isWhole(_ page: ProductsPage) -> Bool {
        page.total == ranges.count && page.facets.isEmpty && page.variant == nil
            && page.positions.elementsEqual(ranges.indices)
    }
}

/// The views of one revision beside the plain one, each made at its first request.
struct LazyViews: Sendable {
    private let display: WantedLazy<EncodedView>
    /// The views with texts in a language.
    private let localized: [ProductsForm: WantedLazy<EncodedView>]

    /// - Parameters:
    ///   - plain: has the products, as `catalogue`, with their marks.
    ///   - languages: those that are negotiated.
    init(
        of catalogue: Catalogue, _ plain: EncodedView, _ marks: PopularityMarks, in languages: [String],
        memory: ResponseMemory
    ) {
        display = WantedLazy { EncodedView(DisplayedCatalogue(catalogue.products, marks).array, memory: memory) }
        var localized: [ProductsForm: WantedLazy<EncodedView>] = [:]
        for language in languages {
            let texts = { @Sendable in
                LocalizedCatalogue(count: catalogue.count, in: language) { plain.append(productAt: $0, to: &$1) }
            }
            let tag = plain.whole.representation.entityTag
            localized[ProductsForm(language: language)] = WantedLazy {
                EncodedView(texts().array, entityTag: tag, language: language, memory: memory)
            }
            localized[ProductsForm(view: .display, language: language)] = WantedLazy {
                EncodedView(DisplayedCatalogue(texts().products, marks).array, language: language, memory: memory)
            }
        }
        self.localized = localized
    }

    /// Nil for the plain view, and for a language that is not negotiated.
    subscript(form: ProductsForm) -> WantedLazy<EncodedView>? {
        if form.language == nil { return form.view == .display ? display : nil }
        return localized[form]
    }

    /// The requested views, each with its content if it has been made.
    var wanted: [(form: ProductsForm, view: EncodedView?)] {
        ([ProductsForm(view: .display): display].merging(localized) { $1 })
            .filter(\.value.isWanted).map { ($0.key, $0.value.lazy.kept) }
    }

    /// Makes a view before a request needs it, off the event loops.
    func made(_ form: ProductsForm) async -> EncodedView? { await self[form]?.lazy.made() }
}

/// A value that is ready, or has to be waited for.
///
/// Most values of a cache are ready, and a task costs more than the look-up, so there is a task only if a value has to
/// be made.
enum Eventual<Value: Sendable>: Sendable {
    case ready(Value)
    /// Work that makes the value; to be run once.
    case pending(@Sendable () async throws -> Value)

    var value: Value {
        get async throws {
            switch self {
            case .ready(let value): value
            case .pending(let make): try await make()
            }
        }
    }
}

extension Lazy {
    /// The value, ready if it has been made.
    var eventual: Eventual<Value> {
        if let kept { .ready(kept) } else { .pending { [self] in await made() } }
    }
}

extension WantedLazy {
    /// The value for a request, ready if it has been made.
    var eventual: Eventual<Value> {
        want()
        return lazy.eventual
    }
}
