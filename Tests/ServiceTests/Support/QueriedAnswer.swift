import JSON
import Networking

/// What tests look at in the answer to a query.
struct QueriedAnswer {
    let response: HTTPClientResponse

    var products: [JSONValue] { response.json?["products"]?.array ?? [] }

    var ids: [String] { products.compactMap { $0.object?["id"]?.string } }

    var total: Int? { response.json?["total"]?.number?.integer }

    var next: String? { response.json?["next"]?.string }

    /// The target of the header `Link`, when that has the relation and nothing else.
    func target(ofLink relation: String) -> String? {
        guard let link = response.headers["Link"], link.hasPrefix("<"), link.hasSuffix(">; rel=\"\(relation)\"") else {
            return nil
        }
        return link.split(separator: ">").first.map { String($0.dropFirst()) }
    }
}

extension Stand {
    func ask(_ target: String, method: String = "GET", headers: [HTTPHeader] = []) async throws -> QueriedAnswer {
        QueriedAnswer(response: try await get(target, method: method, headers: headers))
    }

    /// The answers on the way from this page to the last one.
    func pages(from target: String, atMost limit: Int = 200) async throws -> [QueriedAnswer] {
        var pages = [try await ask(target)]
        while pages.count < limit, let next = pages[pages.count - 1].target(ofLink: "next") {
            pages.append(try await ask(next))
        }
        return pages
    }
}
