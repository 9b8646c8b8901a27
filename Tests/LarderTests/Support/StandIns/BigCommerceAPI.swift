/// BigCommerce, REST Management API v3: `page` and `limit`, 50 by default and 250 at most; `data` with the products and
/// `meta.pagination` with the numbers; an access token in a header.
struct BigCommerceAPI: ShopAPI {
    private static let store = "k3vfx9"
    private static let token = "bct_51f0c6e7a94d2b"

    let name = "bigcommerce"
    let isPaged = true
    let variables = ["LARDER_BIGCOMMERCE_STORE": Self.store]
    let secrets = ["LARDER_BIGCOMMERCE_TOKEN_FILE": Self.token]
    let privateMembers: Set<String> = [
        "cost_price", "map_price", "inventory_level", "inventory_warning_level", "bin_picking_number", "view_count",
    ]

    func answer(to request: StandInRequest, wares: [Ware]) -> StandInAnswer {
        guard request.method == "GET", request.path == "/stores/\(Self.store)/v3/catalog/products" else {
            return .refused("404 Not Found", error(404, "The resource was not found."))
        }
        guard request[header: "X-Auth-Token"] == Self.token else {
            return .refused("401 Unauthorized", error(401, "Unauthorized"))
        }
        guard let page = request.number("page", default: 1), page >= 1,
            let limit = request.number("limit", default: 50), limit >= 1
        else { return .refused("422 Unprocessable Entity", error(422, "Invalid parameters")) }
        guard limit <= 250 else { return .refused("413 Request Entity Too Large", error(413, "Too many objects")) }
        return answer(page, limit, shelf(wares, request), request)
    }

    func product(of ware: Ware) -> ListedProduct? {
        guard !ware.isHidden else { return nil }
        return ListedProduct(
            kind: ware.isDigital ? "digital" : "physical", id: "\(ware.number + 170)", name: ware.name,
            amount: (ware.cents ?? 0).shortAmount(), currency: "USD", sales: ware.sales, imageURL: ware.picture)
    }

    private func shelf(_ wares: [Ware], _ request: StandInRequest) -> [Ware] {
        wares.filter { !$0.isHidden || request.parameters["is_visible"] != "true" }
    }

    private func answer(_ page: Int, _ limit: Int, _ wares: [Ware], _ request: StandInRequest) -> StandInAnswer {
        let shown = Ware.page(of: wares, from: (page - 1) * limit, limit: limit)
        let hasImages = request.parameters["include"] == "primary_image"
        let excluded = request.names("exclude_fields") ?? []
        let items = shown.map { ware in
            BigCommerceItem(ware: ware, hasImage: hasImages).json.keeping { !excluded.contains($0) }
        }
        let pages = (wares.count + limit - 1) / limit
        var links = #""current":"?page=\#(page)&limit=\#(limit)""#
        if page > 1 { links += #","previous":"?page=\#(page - 1)&limit=\#(limit)""# }
        if page < pages { links += #","next":"?page=\#(page + 1)&limit=\#(limit)""# }
        return StandInAnswer(
            body: #"""
                {"data": [\#(items.joined(separator: ","))], "meta": {"pagination": {"total": \#(wares.count), "count": \#(shown.count),
                "per_page": \#(limit), "current_page": \#(page), "total_pages": \#(pages), "links": {\#(links)}}}}
                """#, page: page)
    }

    private func error(_ status: Int, _ title: String) -> String {
        #"{"status":\#(status),"title":"\#(title)","type":"/api-docs/getting-started/api-status-codes"}"#
    }
}
