import Configuration
import EventLoop
import HTTPServer
import JSON
import Logging
import Networking

@testable import Service
import TestSupport

/// The practice upstream, and a client beside it, on a loop of their own.
struct Shop {
    let client: HTTPClient
    let port: Int
    private let upstream: PracticeUpstream?
    private let runtime: Runtime

    /// - Parameter port: 0 for any; `nil` for no upstream at all, only a client.
    init(listeningOn port: Int? = 0) async throws {
        runtime = try Runtime(threads: 1, logger: LogRecorder().logger)
        client = runtime.client
        do {
            upstream =
                if let port {
                    try await PracticeUpstream(
                        catalogue: .madeUp(), listen: NetworkAddress(host: "127.0.0.1", port: port), runtime: runtime)
                } else { nil }
        } catch {
            await runtime.shutdown()
            throw error
        }
        self.port = upstream?.port ?? 0
    }

    var address: String { "127.0.0.1:\(port)" }

    func fail(_ mode: String) async throws {
        let url = "http://\(address)/_fault?mode=\(mode)"
        let response = try await client.send(HTTPClientRequest(method: "PUT", url: url, limits: .wide))
        guard response.status == 200 else { throw NoSuchMode(mode: mode) }
    }

    /// How often it was asked for its products.
    func requests() async throws -> Int {
        let response = try await client.send(HTTPClientRequest(url: "http://\(address)/_fault", limits: .wide))
        return try JSONParser().parse(response.body).object?["requests"]?.number?.integer ?? -1
    }

    func close() async {
        await upstream?.stop()
        await runtime.shutdown()
    }

    struct NoSuchMode: Error {
        let mode: String
    }
}

extension HTTPClientLimits {
    /// So wide that a busy machine does not meet them.
    static let wide = HTTPClientLimits(connectTimeout: .seconds(20), timeout: .seconds(20), body: 1 << 24)
}
