import Concurrency
import EventLoop
import HTTPServer
import JSON
import TestSupport
import Testing

/// An upstream whose catalogue is another one at each request: all products of a revision bear its number, and their
/// count differs from that of the next.
final class RevisionShop: Sendable {
    private struct State {
        var isOn = false
        var revision = 0
    }

    let port: Int
    private let loops: EventLoopGroup
    private let server: HTTPServer
    private let shelf: Shelf

    /// Runs a test with a shop and the settings of a service that asks it all the time.
    static func with(_ body: (RevisionShop, ProcessSettings) async throws -> Void) async throws {
        let shop = try await RevisionShop()
        var settings = ProcessSettings(upstream: "127.0.0.1:\(shop.port)")
        (settings.ttl, settings.staleWhileRevalidate, settings.holdOff) = ("1ms", "0s", "1ms")
        try await attempt({ try await body(shop, settings) }, finally: { await shop.close() })
    }

    private init() async throws {
        let shelf = Shelf()
        loops = try EventLoopGroup(count: 1)
        server = HTTPServer(
            loops: loops.loops, address: HTTPAddress(host: "127.0.0.1", port: 0),
            handler: ClosureHTTPHandler { _ in shelf.next() }, onError: { _, _ in })
        self.shelf = shelf
        do { try await server.start() } catch {
            await loops.shutdown()
            throw error
        }
        port = Int(server.port ?? 0)
    }

    /// The revision that was sent last.
    var revision: Int { shelf.state.value.revision }

    func turn(on isOn: Bool) {
        shelf.state.update { $0.isOn = isOn }
    }

    /// Returns as soon as a revision is asked for.
    func wait(for revision: Int) async {
        await shelf.state.wait { $0.revision >= revision }
    }

    private func close() async {
        await server.stop(deadline: .zero)
        await loops.shutdown()
    }

    /// The one revision of all products in an array.
    static func revision(of products: [JSONValue]?) throws -> Int {
        let names = Set(try #require(products).map { $0.object?["name"]?.string })
        let name = try #require(names.count == 1 ? names.first ?? nil : nil)
        return try #require(Int(name.dropFirst(4)))
    }

    /// The number of products in a revision.
    static func count(of revision: Int) -> Int { 200 + revision % 7 }

    private final class Shelf: Sendable {
        let state = Observed(State())

        func next() -> HTTPResponse {
            let revision: Int? = state.update { state in
                guard state.isOn else { return nil }
                state.revision += 1
                return state.revision
            }
            var response = HTTPResponse(status: .ok, body: HTTPBody(text: revision.map(Self.catalogue) ?? ""))
            if revision == nil { response.delivery = .dropped }
            return response
        }

        private static func catalogue(_ revision: Int) -> String {
            let products = (0..<RevisionShop.count(of: revision)).map { index in
                #"{"type":"physical","id":"\#(index)","name":"rev \#(revision)","price":{"amount":1,"currency":"EUR"}}"#
            }
            return "[" + products.joined(separator: ",") + "]"
        }
    }
}
