import FileSystem
import Glibc
import JSON
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct OperateTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// A service with a shop whose prices a test sets, and the commands on it.
    private struct Operated {
        let prices: PriceShop
        let process: LarderProcess
        let port: Int
        let config: String
        let directory: TemporaryDirectory

        /// Runs a command, and gives its output; fails when it does not exit so.
        func run(_ words: String..., status: Int32 = 0) async throws -> String {
            let result = try await LarderProcess.run(words + ["--config", config], in: directory)
            #expect(result.status == status, "\(words): \(result.error)")
            return status == 0 ? String(decoding: result.output, as: UTF8.self) : result.error
        }

        /// The price of the first product that clients get.
        func served() async throws -> Int? {
            var price: Int?
            try await Visitor.with { visitor in
                let product = try await visitor.get(port, "/products/p-1").json
                price = product?["price"]?.object?["amount"]?.number?.integer
            }
            return price
        }
    }

    /// Runs a test with a service that asks its upstream only when it is told to.
    private func operated(
        token: String? = nil, rules: String = "", _ body: (Operated) async throws -> Void
    ) async throws {
        try await PriceShop.with { shop in
            func config(admin: String) throws -> String {
                let path = directory("\(UInt64.random(in: 0...UInt64.max)).yaml")
                let yaml = """
                    http: { listen: 127.0.0.1:0, threads: 1, drain: { delay: 1ms } }
                    admin: { listen: "\(admin)"\(token.map { ", token_file: \"\($0)\"" } ?? "") }
                    stores: { disk: { type: json_file, directory: "\(directory("store"))" } }
                    providers:
                      remote:
                        type: caching
                        store: disk
                        upstream:
                          type: validated
                          baseline: disk
                          \(rules)
                          upstream: { type: http, request: { base_url: "http://127.0.0.1:\(shop.port)", path: / } }
                      top: { type: memory, ttl: 1h, upstream: remote }
                    serve: top
                    """
                try Files.create(path, Array(yaml.utf8))
                return path
            }
            let process = try LarderProcess(["serve", "--config", try config(admin: "127.0.0.1:0")], in: directory)
            defer { process.signal(SIGKILL) }
            let admin = try await process.logged("serving", "admin_port")
            let service = Operated(
                prices: shop, process: process, port: try await process.logged("serving", "port"),
                config: try config(admin: "127.0.0.1:\(admin)"), directory: directory)
            try await eventually { try await service.served() != nil }
            try await eventually { try await service.run("history").contains("\n         1  ") }
            try await body(service)
        }
    }

    @Test
    func `wrong prices: a pin brings the right ones back at once, and unpin shows the difference before it is made`()
        async throws
    {
        try await operated { service in
            service.prices.set(120)
            let refreshed = try await service.run("refresh", "--reason", "try & see")
            #expect(refreshed.hasPrefix("top: fetched, revision "))
            #expect(refreshed.hasSuffix(": 0 added, 0 removed, 2 changed\n"))
            #expect(try await service.run("refresh").hasPrefix("top: unchanged, "))
            #expect(try await service.served() == 120)
            try await eventually { try await service.run("history").contains("\n         2  ") }

            let history = try await service.run("history").split(separator: "\n")
            #expect(history.first == "disk: nothing is pinned")
            #expect(history.dropFirst().first?.hasPrefix("GENERATION  REVISION      FETCHED ") == true)
            #expect(history.count == 4 && history[2].hasPrefix("         2  "))
            #expect(history[2].split(separator: " ").suffix(3) == ["0", "0", "2"])
            let difference = try await service.run("diff", "1", "newest", "--id", "p-1")
            #expect(difference.hasPrefix("p-1  price.amount  12 -> 120\n"))
            let all = try await service.run("diff", "1", "current").split(separator: "\n")
            #expect(all.map { $0.prefix(17) }.prefix(2) == ["p-1  price.amount", "p-2  price.amount"])
            #expect(all.last?.hasSuffix("): 0 added, 0 removed, 2 changed, 2 of these in price") == true)

            let pinned = try await service.run("pin", "--generation", "1", "--reason", "prices times ten")
            #expect(pinned.hasPrefix("disk: generation 1 (revision "))
            #expect(pinned.hasSuffix(" from 127.0.0.1: prices times ten\n"))
            #expect(try await service.served() == 12)
            #expect(try await service.run("history").contains("  pinned\n"))
            let shown = try await service.run("unpin")
            #expect(shown.contains("\np-1  price.amount  12 -> 120\n"))
            #expect(try await service.served() == 12)
            let unpinned = try await service.run("unpin", "--confirm", "--reason", "mended")
            #expect(unpinned.hasPrefix("disk: the pin is off: generation 1 "))
            #expect(try await service.served() == 120)
            #expect(try await service.run("unpin") == "disk: nothing is pinned\n")

            let revision = history[3].split(separator: " ")[1]
            #expect(try await service.run("pin", "--revision", "\(revision)").hasPrefix("disk: generation 1 "))
            let raw = try JSONParser().parse(Array(try await service.run("history", "--json").utf8)).object
            #expect(raw?["pin"]?.object?["generation"] == 1)
        }
    }

    @Test
    func `a refused catalogue is let through by accept, and what the service refuses is told with exit 1`() async throws
    {
        try await operated(rules: "max_price_change: { factor: 3, share: 0.3 }") { service in
            #expect(
                try await service.run("accept", status: 1).hasSuffix("status 404: no such catalogue is in quarantine\n")
            )
            service.prices.set(120)
            let refused = try await LarderProcess.run(["refresh", "--config", service.config], in: directory)
            #expect(refused.status == 1)
            #expect(String(decoding: refused.output, as: UTF8.self).hasPrefix("top: failed: "))
            #expect(try await service.served() == 12)
            let accepted = try await service.run("accept", "--reason", "they are right")
            #expect(accepted.contains(": accepted revision "))
            #expect(accepted.contains("\ntop: fetched, "))
            #expect(try await service.served() == 120)

            _ = try await service.run("pin", "--generation", "1")
            service.prices.set(1)
            let behind = try await LarderProcess.run(["refresh", "--force", "--config", service.config], in: directory)
            #expect(behind.status == 1)
            #expect(String(decoding: behind.output, as: UTF8.self).hasPrefix("top: failed: "))
            #expect(try await service.served() == 12)

            let missing = try await service.run("pin", "--generation", "99", status: 1)
            #expect(missing.hasPrefix("larder: POST http://127.0.0.1:"))
            #expect(missing.contains("/pin: status 404: store \"disk\" has no generation 99\n"))
            #expect(try await service.run("diff", "1", "99", status: 1).contains(": status 404: "))
            #expect(try await service.run("refresh", "--node", "none", status: 1).contains("there is \"top\""))
        }
    }

    @Test func `orders carry the config's token, or that of another file; reading takes none`() async throws {
        let (right, wrong) = (directory("token"), directory("wrong"))
        try Files.create(right, Array("s3cret-token\n".utf8))
        try Files.create(wrong, Array("other\n".utf8))
        try await operated(token: right) { service in
            #expect(try await service.run("refresh").hasPrefix("top: unchanged"))
            let refused = try await service.run("refresh", "--token-file", wrong, status: 1)
            #expect(refused.contains(": status 401: "))
            #expect(try await service.run("history", "--token-file", directory("gone")).hasPrefix("disk: "))
            let gone = try await service.run("unpin", "--token-file", directory("gone"), status: 1)
            #expect(gone.hasPrefix("larder: the token cannot be read: "))
            let address = try #require(
                String(decoding: try Files.read(service.config), as: UTF8.self).split(separator: "\"").dropFirst().first
            )
            let elsewhere = try await LarderProcess.run(
                ["refresh", "--admin", String(address), "--token-file", right], in: directory)
            #expect(elsewhere.status == 0)
            #expect(!service.process.log.contains { "\($0)".contains("s3cret-token") })
        }
    }
}

/// An upstream with two products whose price a test sets.
private final class PriceShop: Sendable {
    private let price = Observed(12)
    private let upstream: ScriptedUpstream

    static func with(_ body: (PriceShop) async throws -> Void) async throws {
        let shop = PriceShop()
        defer { shop.upstream.stop() }
        try await body(shop)
    }

    private init() {
        upstream = ScriptedUpstream { [price] connection in
            while connection.readRequest() != nil {
                let products = ["p-1", "p-2"].map { id in
                    #"{"type":"physical","id":"\#(id)","name":"Jam","price":{"amount":\#(price.value),"currency":"EUR"}}"#
                }
                connection.respond(
                    headers: "Content-Type: application/json\r\n", body: "[\(products.joined(separator: ","))]")
            }
        }
    }

    var port: Int { upstream.port }

    func set(_ amount: Int) {
        price.update { $0 = amount }
    }
}
