import JSON
import Networking
import TestSupport

/// A client on a loop of its own.
struct Visitor {
    let client: HTTPClient

    /// Runs a test with a client.
    static func with(_ body: (Visitor) async throws -> Void) async throws {
        try await withClient { try await body(Visitor(client: $0)) }
    }

    func get(
        _ port: Int, _ target: String, method: String = "GET", headers: [HTTPHeader] = []
    ) async throws -> HTTPClientResponse {
        let limits = HTTPClientLimits(connectTimeout: .seconds(20), timeout: .seconds(20), body: 1 << 24)
        return try await client.send(
            HTTPClientRequest(
                method: method, url: "http://127.0.0.1:\(port)\(target)", headers: headers, limits: limits))
    }
}

extension HTTPClientResponse {
    var text: String { String(decoding: body, as: UTF8.self) }

    var json: JSONObject? { try? JSONParser().parse(body).object }
}
