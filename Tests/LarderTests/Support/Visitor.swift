import EventLoop
import JSON
import Networking

/// A client on a loop of its own.
struct Visitor {
    private let loops: EventLoopGroup
    private let client: HTTPClient

    /// Runs a test with a client.
    static func with(_ body: (Visitor) async throws -> Void) async throws {
        let visitor = try Visitor()
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body(visitor)) } catch { outcome = .failure(error) }
        await visitor.client.shutdown()
        await visitor.loops.shutdown()
        try outcome.get()
    }

    private init() throws {
        loops = try EventLoopGroup(count: 1)
        client = HTTPClient(loops: loops.loops, userAgent: UserAgent(version: "test"))
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
