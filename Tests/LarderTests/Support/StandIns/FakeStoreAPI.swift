/// Fake Store API: one array with all products, and nothing around it.
struct FakeStoreAPI: ShopAPI {
    let name = "fakestore"
    let isPaged = false
    let variables: [String: String] = [:]
    let secrets: [String: String] = [:]
    let privateMembers: Set<String> = []

    func answer(to request: StandInRequest, wares: [Ware]) -> StandInAnswer {
        guard request.method == "GET", request.path == "/products" else {
            return .refused("404 Not Found", #"{"message":"Not found"}"#)
        }
        return StandInAnswer(body: "[\(wares.map(item).joined(separator: ","))]", page: 1)
    }

    func product(of ware: Ware) -> ListedProduct? {
        ListedProduct(
            id: "\(ware.number)", name: ware.name, amount: (ware.cents ?? 0).shortAmount(), currency: "USD",
            sales: ware.sales, imageURL: image(ware), category: "men's clothing")
    }

    private func image(_ ware: Ware) -> String { ware.picture ?? "https://img.shop.example/none.jpg" }

    private func item(_ ware: Ware) -> String {
        #"""
        {
          "id": \#(ware.number),
          "title": \#(ware.name.json),
          "price": \#((ware.cents ?? 0).shortAmount()),
          "description": "What number \#(ware.number) is good for.",
          "category": "men's clothing",
          "image": \#(image(ware).json),
          "rating": {"rate": 3.9, "count": \#(ware.sales)}
        }
        """#
    }
}
