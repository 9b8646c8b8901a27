internal import Configuration
internal import Decoding
internal import JSON
internal import Networking
internal import Upstreams

/// `categories` of an `http`.
struct ConfiguredCategories {
    static let fields: [FieldSpec] = [
        .required("path", .string, "the path of the categories below base_url, with its query"),
        .defaulted(
            "pagination", .component(PaginationFamily.self), "{ type: single }",
            "how the categories are divided into pages"),
        .optional("items", .string, "the key path to the array of categories; the document itself when absent"),
        .optional("id", .string, "the key path to the id of a category; id when absent"),
        .optional("parent", .string, "the key path to the id of the category above it; parent when absent"),
        .optional("name", .string, "the key path to its name; name when absent"),
        .required("of", .string, "the path to the ids in an item, like categories.*.id"),
        .optional(
            "as", .string,
            "the member of the item that gets the categories, each as { id, name, path }; category when absent"),
    ]

    let ids: CategoryIDs
    private let path: String
    private let items: JSONPath
    private let pages: ComponentPlan<PaginationFamily>

    /// Reads the field of a provider; nil when it is absent or wrong.
    init?(_ provider: FieldReader, _ field: String, decoding decoder: any CatalogueDecoder) {
        guard let reader = provider.optionalObject(field) else { return nil }
        if decoder.format != .json {
            provider.report(.error, at: field, "\"categories\" are for items of JSON alone")
        }
        path = reader.string("path")
        if reader.isSound, !path.hasPrefix("/") || path.hasPrefix("//") {
            reader.report(
                .error, at: "path", "\"path\" must be a path below \"base_url\", like /products/categories")
        }
        items = reader.keyPath("items") ?? .root
        pages = reader.component("pagination", PaginationFamily.self)
        let paths = ["id", "parent", "name"].compactMap { reader.keyPath($0) ?? JSONPath($0) }
        let of = reader.node("of").flatMap { reader.itemPath($0) }
        let member = reader.memberName("as") ?? "category"
        guard paths.count == 3, let of else { return nil }
        let mapped = (decoder as? MappedCatalogueFormat)?.mappedFields.first { $0.ours.description == "category" }
        if let theirs = mapped?.theirs, !theirs.paths.contains(where: { "\($0).".hasPrefix("\(member).") }) {
            provider.report(
                .error, at: field,
                "\"category\" in \"fields\" reads \(theirs), and not \"\(member)\", the member that gets the categories"
            )
        }
        ids = CategoryIDs(
            at: of, as: member, item: (decoder as? MappedCatalogueFormat)?.mapping.item,
            members: CategoryIDs.Members(id: paths[0], parent: paths[1], name: paths[2]))
    }

    /// Returns the source of the categories, by the base URL and the headers of the list.
    func source(
        beside list: ConfiguredRequestTemplate, fetcher: any CollectionFetcher, limits: HTTPClientLimits,
        in assembly: Assembly
    ) throws -> any CollectionDataSource {
        let collection = CollectionResource(
            template: ResolvedRequestTemplate(CategoriesTemplate(list: list, path: path)), itemsPaths: [items],
            idPaths: [ids.members.id], limits: limits)
        guard let pagination = try pages.instantiate(in: assembly).pagination else {
            return PlainCollectionDataSource(collection, fetcher: fetcher)
        }
        return PaginatedCollectionDataSource(collection, fetcher: fetcher, pagination: pagination)
    }
}

/// The request for the categories of an upstream.
private struct CategoriesTemplate: RequestTemplate {
    let list: ConfiguredRequestTemplate
    let path: String?

    var baseURL: String { list.baseURL }
    var method: RequestMethod? { nil }
    var parameters: [QueryParameter]? { nil }
    var headers: [HTTPHeader]? { list.headers }
    var body: JSONObject? { nil }
    var redirectOrigins: [String]? { list.redirectOrigins }
}
