/// DummyJSON: `limit` and `skip`, of which the first is 30 by default and 0 for no limit; `total` in the body.
struct DummyJSONAPI: ShopAPI {
    let name = "dummyjson"
    let isPaged = true
    let variables: [String: String] = [:]
    let secrets: [String: String] = [:]
    let privateMembers: Set<String> = []

    func answer(to request: StandInRequest, wares: [Ware]) -> StandInAnswer {
        guard request.method == "GET", request.path == "/products" else {
            return .refused("404 Not Found", #"{"message":"Not found"}"#)
        }
        guard let limit = request.number("limit", default: 30), let skip = request.number("skip", default: 0) else {
            return .refused("400 Bad Request", #"{"message":"Invalid 'limit' - must be a number"}"#)
        }
        let page = Ware.page(of: wares, from: skip, limit: limit == 0 ? wares.count : limit)
        let items = page.map(item).joined(separator: ",")
        return StandInAnswer(
            body: #"{"products":[\#(items)],"total":\#(wares.count),"skip":\#(skip),"limit":\#(page.count)}"#,
            page: limit == 0 ? 1 : skip / limit + 1)
    }

    func product(of ware: Ware) -> ListedProduct? {
        ListedProduct(
            id: "\(ware.number)", name: ware.name, amount: (ware.cents ?? 0).shortAmount(), currency: "USD",
            sales: ware.sales, imageURL: thumbnail(ware), category: "groceries")
    }

    private func thumbnail(_ ware: Ware) -> String { ware.picture ?? "https://img.shop.example/none.webp" }

    private func item(_ ware: Ware) -> String {
        #"""
        {
          "id": \#(ware.number),
          "title": \#(ware.name.json),
          "description": "What number \#(ware.number) is good for.",
          "category": "groceries",
          "price": \#((ware.cents ?? 0).shortAmount()),
          "discountPercentage": 10.48,
          "rating": 2.56,
          "stock": \#(ware.sales),
          "tags": ["food", "shelf"],
          "brand": "Larder",
          "sku": "GRO-LAR-\#(ware.number)",
          "weight": 4,
          "dimensions": {"width": 15.14, "height": 13.08, "depth": 22.99},
          "warrantyInformation": "1 week warranty",
          "shippingInformation": "Ships in 3-5 business days",
          "availabilityStatus": "In Stock",
          "reviews": [
            {
              "rating": 3,
              "comment": "Fair.",
              "date": "2025-04-30T09:41:02.053Z",
              "reviewerName": "A Customer",
              "reviewerEmail": "a.customer@shop.example"
            }
          ],
          "returnPolicy": "No return policy",
          "minimumOrderQuantity": 48,
          "meta": {
            "createdAt": "2025-04-30T09:41:02.053Z",
            "updatedAt": "2025-04-30T09:41:02.053Z",
            "barcode": "5784719087687",
            "qrCode": "https://img.shop.example/qr-code.png"
          },
          "images": ["https://img.shop.example/\#(ware.number)/1.webp"],
          "thumbnail": \#(thumbnail(ware).json)
        }
        """#
    }
}
