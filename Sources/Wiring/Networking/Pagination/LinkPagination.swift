internal import Configuration
internal import Networking

extension LinkPagination {
    static let spec = ComponentSpec<PaginationFamily>(
        type: "link", summary: "pages that name the next one in the Link header, by rel=\"next\"",
        fields: [.maxPages], example: "{ type: link }",
        plan: { reader in
            let pagination = LinkPagination(maxPages: reader.maxPages())
            return { _ in CollectionPages(pagination: pagination) }
        })
}
