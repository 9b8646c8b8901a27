@testable import Prometheus
import TestSupport
import JSON
import Networking
import Testing

/// A service that a test asks, over sockets or in memory.
protocol AskedService {
    func send(
        _ target: String, _ method: String, _ headers: [HTTPHeader], admin: Bool
    ) async throws -> HTTPClientResponse
}

extension AskedService {
    func get(
        _ target: String, method: String = "GET", headers: [HTTPHeader] = [], admin: Bool = false
    ) async throws -> HTTPClientResponse {
        try await send(target, method, headers, admin: admin)
    }

    func get(_ target: String, _ headers: [String: String]) async throws -> HTTPClientResponse {
        try await get(target, headers: headers.map { HTTPHeader($0.key, $0.value) })
    }

    /// The name of the first product that a request with these headers gets; the status where it gets none.
    func name(_ headers: [String: String] = [:]) async throws -> String {
        let answer = QueriedAnswer(response: try await get("/products", headers))
        return answer.products.first?.object?["name"]?.string ?? "\(answer.response.status)"
    }

    func ask(_ target: String, _ headers: [String: String] = [:]) async throws -> QueriedAnswer {
        QueriedAnswer(response: try await get(target, headers))
    }

    /// The pages from this one to the last, each linked by the one before.
    func pages(from target: String, atMost limit: Int = 200) async throws -> [QueriedAnswer] {
        var pages = [try await ask(target)]
        while pages.count < limit, let next = pages[pages.count - 1].target(ofLink: "next") {
            pages.append(try await ask(next))
        }
        return pages
    }

    /// The graph as the operators' port tells it.
    func graph() async throws -> JSONObject {
        try #require(try await get("/graph", admin: true).json)
    }

    /// Everything that is exposed, read by the rules of the form.
    func metrics() async throws -> ExposedMetrics {
        let response = try await get("/metrics", admin: true)
        try #require(response.status == 200)
        return try ExposedMetrics(response.text)
    }
}

/// The answer to a query.
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

extension HTTPClientResponse {
    var text: String { String(decoding: body, as: UTF8.self) }

    var json: JSONObject? { try? JSONParser().parse(body).object }

    /// Whether this is a problem of this status, as RFC 9457 has it, which no cache keeps.
    func isProblem(_ status: Int) -> Bool {
        self.status == status && headers["Content-Type"] == "application/problem+json"
            && headers["Cache-Control"] == "no-store" && json?["type"] == "about:blank"
            && json?["status"]?.number?.integer == status
    }
}
