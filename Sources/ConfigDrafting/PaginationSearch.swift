internal import Decoding
internal import JSON
internal import Networking
internal import Text

/// Finds in a first page how a document's other pages are asked for.
struct PaginationSearch {
    private static let nextLinks = ["next", "nexturl", "nextlink", "nextpageurl", "nextpagelink"]
    private static let cursors = ["cursor", "nextcursor", "nextpagetoken", "endcursor"]

    /// The scalars around the list.
    let envelope: [(path: String, value: JSONValue)]
    /// Scalars that no path can name.
    let unreachable: [(path: String, value: JSONValue)]
    let headers: HTTPHeaders
    let itemCount: Int

    /// The pagination as YAML, with the query parameters that it sends itself; nil without any sign of pages.
    var found: (written: String, parameters: [String])? {
        let link = headers["Link"]?.contains("rel=\"next\"") ?? false
        if link { return ("{ type: link\(totalBeyond) }", []) }
        if headers["X-WP-TotalPages"] != nil {
            return (
                "{ type: page, size_parameter: per_page, size: 100, pages: { header: X-WP-TotalPages }, total: { header: X-WP-Total } }",
                ["page", "per_page"]
            )
        }
        if let next = first(Self.nextLinks, where: { $0.string.map(Self.isLink) ?? false }) {
            return ("{ type: cursor, next: { path: \(YAMLText.scalar(next.path)) }\(totalBeyond) }", [])
        }
        return cursor ?? offset ?? page
    }

    /// Members of the envelope that indicate further pages, such as `totalElements: 400`.
    var signsOfMore: [String] {
        let header = headers.statedTotal.flatMap { $0.count > itemCount ? "header \($0.name): \($0.count)" : nil }
        let signs = (header.map { [$0] } ?? []) + signsInDocument
        return signs.isEmpty && !statesEnd ? pageNumber : signs
    }

    /// Whether the document states how many items or pages there are.
    private var statesEnd: Bool { first(StatedTotal.names + StatedTotal.pageCounts, where: Self.isCount) != nil }

    private var pageNumber: [String] {
        let page = first(StatedTotal.pageNumbers, where: Self.isCount)
        return page.map { ["\($0.path): \($0.value.excerpt)".printable] } ?? []
    }

    private var signsInDocument: [String] {
        (envelope + unreachable).filter { entry in
            let names = entry.path.split { ".:@/".contains($0) }.map { MemberPlace.plain(String($0)) }
            guard let name = names.last else { return false }
            if let count = entry.value.scalarText.flatMap({ Int($0) }) {
                let isOfPages = name.contains("pages") || name == "lastpage" || name == "pagecount"
                let isTotal = ["total", "count", "found", "filtered"].contains { name.contains($0) }
                return isOfPages ? count > 1 : isTotal && count > itemCount
            }
            switch entry.value {
            case .bool(let flag): return flag ? name.hasPrefix("has") : name == "last" || name == "islast"
            case .string(let text):
                return !text.isEmpty && names.contains { $0.hasPrefix("next") || $0.hasSuffix("nextlink") }
            case .null, .number, .array, .object: return false
            }
        }.map { "\($0.path): \($0.value.excerpt)".printable }
    }

    private var cursor: (String, [String])? {
        guard let cursor = first(Self.cursors, where: { $0.string.map { !$0.isEmpty } ?? false }) else { return nil }
        let parameter =
            switch MemberPlace(path: cursor.path).plainName {
            case "nextpagetoken": "pageToken"
            case "endcursor": "after"
            default: "cursor"
            }
        let more = first(["hasmore", "hasnextpage", "hasnext"]) { $0.bool != nil }
        let written = more.map { ", more: { path: \(YAMLText.scalar($0.path)) }" } ?? ""
        return (
            "{ type: cursor, parameter: \(parameter), next: { path: \(YAMLText.scalar(cursor.path)) }\(written)\(totalBeyond) }",
            [parameter]
        )
    }

    private var offset: (String, [String])? {
        guard let offset = first(["offset", "skip"], where: Self.isCount),
            let limit = first(["limit"], where: Self.isCount),
            let size = limit.value.number?.integer, size > 0
        else { return nil }
        let names = [MemberPlace(path: offset.path).name, MemberPlace(path: limit.path).name]
        let written = names.map(YAMLText.scalar)
        return (
            "{ type: offset, offset_parameter: \(written[0]), limit_parameter: \(written[1]), limit: \(size)\(total) }",
            names
        )
    }

    private var page: (String, [String])? {
        guard let page = first(["page", "currentpage", "pagenumber"], where: Self.isCount) else { return nil }
        let start = page.value.number?.integer == 0 ? ", first: 0" : ""
        if let pages = first(StatedTotal.pageCounts, where: Self.isCount) {
            return (
                "{ type: page, parameter: page\(start), pages: { path: \(YAMLText.scalar(pages.path)) }\(total) }",
                ["page"]
            )
        }
        guard !total.isEmpty,
            let size = first(["limit", "perpage", "pagesize", "size"], where: Self.isCount)?.value.number?.integer,
            size > 0
        else { return nil }
        return ("{ type: page, parameter: page\(start), size: \(size)\(total) }", ["page"])
    }

    /// The place of the total, unless another member may be it. A `count` may be of the page alone.
    private var total: String {
        if !totalBeyond.isEmpty { return totalBeyond }
        let names = StatedTotal.names.filter { $0 != "count" }
        guard let total = first(names, where: { $0.number?.integer == itemCount }) else { return "" }
        return ", total: { path: \(YAMLText.scalar(total.path)) }"
    }

    /// The place of a total that is more than the items of the page, and so is not of the page alone.
    private var totalBeyond: String {
        if let total = first(StatedTotal.names, where: { $0.number?.integer ?? 0 > itemCount }) {
            return ", total: { path: \(YAMLText.scalar(total.path)) }"
        }
        guard let (name, count) = headers.statedTotal, count > itemCount else { return "" }
        return ", total: { header: \(YAMLText.scalar(name)) }"
    }

    private func first(
        _ names: [String], where isAccepted: (JSONValue) -> Bool
    ) -> (path: String, value: JSONValue)? {
        for name in names {
            let found = envelope.first { MemberPlace(path: $0.path).plainName == name && isAccepted($0.value) }
            if let found { return found }
        }
        return nil
    }

    private static func isCount(_ value: JSONValue) -> Bool { value.number?.integer.map { $0 >= 0 } ?? false }

    private static func isLink(_ text: String) -> Bool {
        text.hasPrefix("http://") || text.hasPrefix("https://") || text.hasPrefix("/") || text.hasPrefix("?")
    }
}
