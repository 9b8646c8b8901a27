import FoundationEssentials

/// WooCommerce, REST API v3: `page` and `per_page`, 10 by default and 100 at most; the numbers of products and pages in
/// headers; a key and its secret by basic authentication.
struct WooCommerceAPI: ShopAPI {
    private static let key = "ck_4c1f2c7d55a3"
    private static let secret = "cs_9e0d66b1f7e84a21"

    let name = "woocommerce"
    let isPaged = true
    let variables = ["LARDER_WOOCOMMERCE_KEY": Self.key]
    let secrets = ["LARDER_WOOCOMMERCE_SECRET_FILE": Self.secret]
    let privateMembers: Set<String> = [
        "downloads", "downloadURL", "meta_data", "purchase_note", "stock_quantity", "parent_id",
    ]

    func answer(to request: StandInRequest, wares: [Ware]) -> StandInAnswer {
        guard request.method == "GET", request.path == "/wp-json/wc/v3/products" else {
            return .refused("404 Not Found", error("rest_no_route", "No such route.", 404))
        }
        guard
            request[header: "Authorization"] == "Basic " + Data("\(Self.key):\(Self.secret)".utf8).base64EncodedString()
        else { return .refused("401 Unauthorized", error("woocommerce_rest_cannot_view", "Not allowed.", 401)) }
        guard let page = request.number("page", default: 1), page >= 1,
            let limit = request.number("per_page", default: 10), (1...100).contains(limit)
        else { return .refused("400 Bad Request", error("rest_invalid_param", "Invalid parameter(s)", 400)) }
        return answer(page, limit, shelf(wares, request), request)
    }

    func product(of ware: Ware) -> ListedProduct? {
        guard !ware.isHidden, let cents = ware.cents else { return nil }
        return ListedProduct(
            kind: ware.isDigital ? "digital" : "physical", id: "\(ware.number + 700)", name: ware.name,
            amount: cents.shortAmount(), currency: "USD", sales: ware.sales, imageURL: ware.picture,
            category: "Clothing")
    }

    /// What the filters let through. The newest comes first unless another order is wanted.
    private func shelf(_ wares: [Ware], _ request: StandInRequest) -> [Ware] {
        let status = request.parameters["status"] ?? "any"
        let listed = wares.filter { status == "any" || status == ($0.isHidden ? "draft" : "publish") }
        let isAscending = request.parameters["orderby"] == "id" && request.parameters["order"] == "asc"
        return isAscending ? listed : listed.reversed()
    }

    private func answer(_ page: Int, _ limit: Int, _ wares: [Ware], _ request: StandInRequest) -> StandInAnswer {
        let pages = (wares.count + limit - 1) / limit
        var links: [String] = []
        if page > 1 { links.append(link(page - 1, "prev", request)) }
        if page < pages { links.append(link(page + 1, "next", request)) }
        let fields = request.names("_fields")
        let items = Ware.page(of: wares, from: (page - 1) * limit, limit: limit).map { ware in
            WooCommerceItem(ware: ware).json.keeping { fields?.contains($0) ?? true }
        }
        return StandInAnswer(
            headers: [
                ("X-WP-Total", "\(wares.count)"), ("X-WP-TotalPages", "\(pages)"),
                ("Link", links.joined(separator: ", ")),
            ],
            body: "[\(items.joined(separator: ","))]", page: page)
    }

    private func link(_ page: Int, _ relation: String, _ request: StandInRequest) -> String {
        #"<\#(request.origin)\#(request.path)?page=\#(page)>; rel="\#(relation)""#
    }

    private func error(_ code: String, _ message: String, _ status: Int) -> String {
        #"{"code":"\#(code)","message":"\#(message)","data":{"status":\#(status)}}"#
    }
}
