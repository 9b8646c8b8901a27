import JSON
import Networking

/// A client of a `VariedStand`, of which there may be many at once.
struct VariedStandVisitor: Sendable {
    let client: HTTPClient
    let port: Int

    func get(_ target: String, _ headers: [String: String]) async throws -> HTTPClientResponse {
        try await client.send(
            HTTPClientRequest(
                url: "http://127.0.0.1:\(port)\(target)", headers: headers.map { HTTPHeader($0.key, $0.value) },
                limits: .wide))
    }

    /// The name of the first product that a request with these headers gets; the status where it gets none.
    func name(_ headers: [String: String]) async throws -> String {
        let response = try await get("/products", headers)
        return response.json?["products"]?.array?.first?.object?["name"]?.string ?? "\(response.status)"
    }
}
