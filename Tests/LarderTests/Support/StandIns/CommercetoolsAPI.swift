/// commercetools, HTTP API: `offset`, 10,000 at most, and `limit`, 20 by default and 500 at most; `total` in the body;
/// an access token by bearer authentication. Which price is a product's own depends on the currency that is asked for.
struct CommercetoolsAPI: ShopAPI {
    private static let project = "larder-stand-in"
    private static let token = "ctp_wT8mZ0eYb3qLr5"

    let name = "commercetools"
    let isPaged = true
    /// What the prices are wanted in; one of those that the items have.
    var currency = CommercetoolsCurrency.euro
    let secrets = ["LARDER_COMMERCETOOLS_TOKEN_FILE": Self.token]
    let privateMembers: Set<String> = ["masterVariant", "variants", "prices", "customerGroup", "attributes"]

    var variables: [String: String] {
        ["LARDER_COMMERCETOOLS_PROJECT": Self.project, "LARDER_CURRENCY": currency.rawValue]
    }

    func answer(to request: StandInRequest, wares: [Ware]) -> StandInAnswer {
        guard request.method == "GET", request.path == "/\(Self.project)/product-projections" else {
            return .refused("404 Not Found", error(404, "ResourceNotFound"))
        }
        guard request[header: "Authorization"] == "Bearer \(Self.token)" else {
            return .refused("401 Unauthorized", error(401, "invalid_token"))
        }
        guard let offset = request.number("offset", default: 0), (0...10_000).contains(offset),
            let limit = request.number("limit", default: 20), (1...500).contains(limit)
        else { return .refused("400 Bad Request", error(400, "InvalidInput")) }
        return answer(offset, limit, shelf(wares, request), request)
    }

    func product(of ware: Ware) -> ListedProduct? {
        guard !ware.isHidden, let cents = ware.cents else { return nil }
        let item = CommercetoolsItem(ware: ware, selected: nil)
        let amount =
            item.isPrecise
            ? item.preciseAmount(cents).shortAmount(digits: item.preciseDigits(currency))
            : cents.shortAmount(digits: currency.digits)
        return ListedProduct(
            id: item.id, name: ware.name, amount: amount, currency: currency.rawValue, imageURL: ware.picture)
    }

    /// What is published. Only a sort by id has an order that can be relied on.
    private func shelf(_ wares: [Ware], _ request: StandInRequest) -> [Ware] {
        let published = wares.filter { !$0.isHidden }
        return request.parameters["sort"] == "id asc" ? published : published.reversed()
    }

    private func answer(_ offset: Int, _ limit: Int, _ wares: [Ware], _ request: StandInRequest) -> StandInAnswer {
        let shown = Ware.page(of: wares, from: offset, limit: limit)
        let selected = request.parameters["priceCurrency"].flatMap(CommercetoolsCurrency.init(rawValue:))
        let items = shown.map { CommercetoolsItem(ware: $0, selected: selected).json }.joined(separator: ",")
        return StandInAnswer(
            body: #"""
                {"limit": \#(limit), "offset": \#(offset), "count": \#(shown.count), "total": \#(wares.count),
                "results": [\#(items)]}
                """#, page: offset / limit + 1)
    }

    private func error(_ status: Int, _ code: String) -> String {
        #"{"statusCode":\#(status),"message":"\#(code)","errors":[{"code":"\#(code)","message":"\#(code)"}]}"#
    }
}
