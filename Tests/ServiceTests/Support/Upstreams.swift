@testable import PracticeUpstream
import Configuration
import EventLoop
import HTTPServer
import JSON
import Logging
import Networking
import TestSupport

@testable import Service

/// The practice upstream and a client, on an event loop of their own.
struct Shop {
    let client: HTTPClient
    let port: Int
    private let upstream: PracticeUpstream
    private let runtime: Runtime

    /// - Parameter requested: the port; 0 for any.
    init(listeningOn requested: Int = 0) async throws {
        let runtime = try Runtime(threads: 1, logger: LogRecorder().logger)
        self.runtime = runtime
        client = runtime.client
        do {
            upstream = try await PracticeUpstream(catalogue: .madeUp(), logger: runtime.logger) {
                runtime.server(NetworkAddress(host: "127.0.0.1", port: requested), handlerOnLoop: $0)
            }
        } catch {
            await runtime.shutdown()
            throw error
        }
        self.port = upstream.port
    }

    var address: String { "127.0.0.1:\(port)" }

    func fail(_ mode: String) async throws {
        let url = "http://\(address)/_fault?mode=\(mode)"
        let response = try await client.send(HTTPClientRequest(method: "PUT", url: url, limits: .wide))
        guard response.status == 200 else { throw NoSuchMode(mode: mode) }
    }

    /// The number of requests for products.
    func requests() async throws -> Int {
        let response = try await client.send(HTTPClientRequest(url: "http://\(address)/_fault", limits: .wide))
        return try JSONParser().parse(response.body).object?["requests"]?.number?.integer ?? -1
    }

    func close() async {
        await upstream.stop()
        await runtime.shutdown()
    }

    struct NoSuchMode: Error {
        let mode: String
    }
}

extension HTTPClientLimits {
    /// Limits that a busy machine does not meet.
    static let wide = HTTPClientLimits(connectTimeout: .seconds(20), timeout: .seconds(20), body: 1 << 24)
}

/// An upstream whose response a test sets.
final class ScriptedShop: Sendable {
    let port: Int
    private let runtime: Runtime
    private let server: HTTPServer
    private let response = Shared(HTTPResponse(status: .ok, body: HTTPBody(text: "[]")))
    private let controls = Observed<[String?]>([])

    init() async throws {
        runtime = try Runtime(threads: 1, logger: LogRecorder().logger)
        server = HTTPServer(
            loops: runtime.loops.loops, address: HTTPAddress(host: "127.0.0.1", port: 0),
            handler: ClosureHTTPHandler { [response, controls] request in
                let control = request.header("Cache-Control")
                controls.update { $0.append(control) }
                return response.withLock { $0 }
            }, onError: { _, _ in })
        do { try await server.start() } catch {
            await runtime.shutdown()
            throw error
        }
        port = Int(server.port ?? 0)
    }

    /// Runs a test with an upstream, and stops it.
    static func with(_ body: (ScriptedShop) async throws -> Void) async throws {
        let shop = try await ScriptedShop()
        try await attempt({ try await body(shop) }, finally: { await shop.close() })
    }

    /// The number of requests that came.
    var requests: Int { controls.value.count }

    /// The `Cache-Control` of each request.
    var cacheControls: [String?] { controls.value }

    func wait(forRequests count: Int) async { await controls.wait { $0.count >= count } }

    func serve(_ text: String) {
        serve(HTTPResponse(status: .ok, headers: ["Content-Type": "application/json"], body: HTTPBody(text: text)))
    }

    func serve(_ response: HTTPResponse) {
        self.response.withLock { $0 = response }
    }

    func close() async {
        await server.stop(deadline: .zero)
        await runtime.shutdown()
    }
}

/// An upstream whose catalogue is another edition at each request, and that answers only while its gate is open.
final class GatedUpstream: Sendable {
    let gate = Gate()
    private let upstream: ScriptedUpstream

    init() {
        let editions = Shared(0)
        upstream = ScriptedUpstream { [gate] connection in
            while connection.readRequest() != nil {
                let edition = editions.withLock { edition in
                    edition += 1
                    return edition
                }
                gate.pass()
                connection.respond(headers: "Content-Type: application/json\r\n", body: Self.catalogue(edition))
            }
        }
    }

    /// Host and port.
    var address: String { "127.0.0.1:\(upstream.port)" }

    /// The number of requests read.
    var requests: Int { upstream.requestHeads.count }

    /// The number of connections. A client that breaks a request off needs another one for the next.
    var connections: Int { upstream.acceptedCount }

    /// Returns as soon as it has read so many requests.
    func wait(forRequests count: Int) async {
        await upstream.wait(requests: count)
    }

    func close() {
        upstream.stop()
        gate.open()
    }

    /// The name that every body of an edition contains.
    static func name(of edition: Int) -> String { "Mug of edition \(edition)" }

    private static func catalogue(_ edition: Int) -> String {
        let products = (1...100).map { number in
            #"""
            {"type":"physical","id":"\#(number)","name":"\#(name(of: edition))",\#
            "price":{"amount":1.5,"currency":"EUR"}}
            """#
        }
        return "[" + products.joined(separator: ",") + "]"
    }
}
