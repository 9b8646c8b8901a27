import FoundationEssentials

/// Shopify, REST Admin API: `limit`, 50 by default and 250 at most; the next page by a `Link` whose `page_info` stands
/// for all other parameters and must not be sent with any; an access token in a header.
struct ShopifyAPI: ShopAPI {
    private static let token = "shpat_6e2a90f1c5d84b"

    let name = "shopify"
    let isPaged = true
    let variables: [String: String] = [:]
    let secrets = ["LARDER_SHOPIFY_TOKEN_FILE": Self.token]
    let privateMembers: Set<String> = [
        "status", "published_scope", "variants", "barcode", "inventory_item_id", "inventory_quantity",
        "old_inventory_quantity", "inventory_management", "inventory_policy", "fulfillment_service",
    ]

    func answer(to request: StandInRequest, wares: [Ware]) -> StandInAnswer {
        guard request.method == "GET", request.path == "/admin/api/2026-07/products.json" else {
            return .refused("404 Not Found", #"{"errors":"Not Found"}"#)
        }
        guard request[header: "X-Shopify-Access-Token"] == Self.token else {
            return .refused("401 Unauthorized", #"{"errors":"[API] Invalid API key or access token"}"#)
        }
        guard let limit = request.number("limit", default: 50), (1...250).contains(limit),
            let start = ShopifyCursor(request)
        else { return .refused("400 Bad Request", #"{"errors":{"page_info":"Invalid value."}}"#) }
        let listed = wares.filter { start.status == nil || start.status == ($0.isHidden ? "draft" : "active") }
        let fields = request.names("fields")
        let items = Ware.page(of: listed, from: start.position, limit: limit).map { ware in
            ShopifyItem(ware: ware).json.keeping { fields?.contains($0) ?? true }
        }
        return StandInAnswer(
            headers: [("X-Shopify-Shop-Api-Call-Limit", "1/40")] + links(start, limit, listed.count, request),
            body: #"{"products":[\#(items.joined(separator: ","))]}"#, page: start.position / limit + 1)
    }

    func product(of ware: Ware) -> ListedProduct? {
        guard !ware.isHidden else { return nil }
        return ListedProduct(
            kind: ware.isDigital ? "digital" : "physical", id: "\(ShopifyItem(ware: ware).id)", name: ware.name,
            amount: (ware.cents ?? 0).shortAmount(), currency: "USD", imageURL: ware.picture, category: "Cult Products")
    }

    private func links(
        _ start: ShopifyCursor, _ limit: Int, _ count: Int, _ request: StandInRequest
    ) -> [(name: String, value: String)] {
        var links: [String] = []
        if start.position > 0 { links.append(link(start.moved(by: -limit), limit, "previous", request)) }
        if start.position + limit < count { links.append(link(start.moved(by: limit), limit, "next", request)) }
        return links.isEmpty ? [] : [("Link", links.joined(separator: ", "))]
    }

    private func link(_ cursor: ShopifyCursor, _ limit: Int, _ relation: String, _ request: StandInRequest) -> String {
        let fields = request.parameters["fields"].map { "&fields=" + $0.replacing(",", with: "%2C") } ?? ""
        let url = "\(request.origin)\(request.path)?limit=\(limit)\(fields)&page_info=\(cursor.text)"
        return #"<\#(url)>; rel="\#(relation)""#
    }
}

/// What a `page_info` stands for: where a page begins, and the filter that the first request had.
private struct ShopifyCursor {
    var position = 0
    var status: String?

    /// Where a request wants to begin; nil when it says so in a way that is not allowed.
    init?(_ request: StandInRequest) {
        guard let text = request.parameters["page_info"] else {
            status = request.parameters["status"]
            return
        }
        guard Set(request.parameters.keys).isSubset(of: ["page_info", "limit", "fields"]),
            let data = Data(base64Encoded: text)
        else { return nil }
        let words = String(decoding: data, as: UTF8.self).split(separator: " ")
        guard words.count == 2, let position = Int(words[0]) else { return nil }
        self.position = position
        status = words[1] == "any" ? nil : String(words[1])
    }

    /// As it is sent, with nothing in it that a URL would have to escape but `=`.
    var text: String {
        Data("\(position) \(status ?? "any")".utf8).base64EncodedString().replacing("=", with: "%3D")
    }

    func moved(by distance: Int) -> ShopifyCursor {
        var moved = self
        moved.position = max(0, position + distance)
        return moved
    }
}
