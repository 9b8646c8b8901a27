import FileSystem
import FoundationEssentials
import JSON
import TestSupport
import Testing

@testable import Service

/// A running service over files: an `overlay` or a `merge` of a catalogue and a feed of stock.
private struct StockService {
    static let overlay = """
        { type: overlay, upstream: catalogue, overlay: feed, members: [stock], ttl: TTL, refresh: MODE, max_wait: 20s }
        """
    static let merge = """
        { type: merge, duplicates: last, providers: [catalogue, { type: memory, ttl: TTL, stale_while_revalidate: 0s, refresh: MODE, upstream: feed }] }
        """

    let directory: TemporaryDirectory
    let service: RunningService
    let pauses = ManualClock()

    init(serve: String, ttl: String, mode: String = "on_demand", count: Int) async throws {
        directory = try TemporaryDirectory()
        try Self.write(directory, "catalogue", (0..<count).map { ($0, nil) })
        try Self.write(directory, "feed", [(0, 1)])
        let yaml = """
            http: { listen: 127.0.0.1:0, threads: 1, drain: { delay: 1ms, deadline: 10s } }
            admin: { listen: 127.0.0.1:0 }
            providers:
              catalogue: { type: memory, ttl: 1h, upstream: { type: file, path: "\(directory("catalogue"))" } }
              feed: { type: file, path: "\(directory("feed"))" }
            serve: \(serve.replacing("TTL", with: ttl).replacing("MODE", with: mode))
            """
        service = try await RunningService(
            yaml: yaml, clock: ManualWallClock(now: Date(timeIntervalSince1970: 1_800_000_000)), log: LogRecorder(),
            pauses: pauses)
    }

    private static func write(_ directory: TemporaryDirectory, _ name: String, _ items: [(id: Int, stock: Int?)]) throws
    {
        let texts = items.map { id, stock in
            let stock = stock.map { #","stock":\#($0)"# } ?? ""
            return
                #"{"type":"physical","id":"p\#(id)","name":"Mug \#(id)","price":{"amount":1,"currency":"EUR"}\#(stock)}"#
        }
        let text = "[\(texts.joined(separator: ","))]"
        try Files.replace(directory(name), with: Array(text.utf8), temporary: directory("temporary"))
    }

    func write(stock: [Int: Int]) throws {
        try Self.write(directory, "feed", stock.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }

    func get(_ target: String, _ fields: String = "") async throws -> RawResponse {
        let port = service.application.port
        return try await BackgroundThread.run {
            let client = try RawClient(port: port)
            try client.send("GET \(target) HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\(fields)\r\n")
            return try client.receiveToEnd()
        }
    }
}

@Suite(.timeLimit(.minutes(4)))
struct JoinedChangesTests {
    /// The products of a list by id.
    private static func products(_ list: JSONValue?) -> [String: JSONValue] {
        Dictionary(
            (list?.array ?? []).map { ($0.object?["id"]?.string ?? "none", $0) },
            uniquingKeysWith: { first, _ in first })
    }

    @Test(arguments: [StockService.overlay, StockService.merge])
    fileprivate func
        `clients that follow at any pace hold the whole list at every step, and get what has changed alone`(
            serve: String
        ) async throws
    {
        var random = SeededGenerator(seed: 4)
        let shop = try await StockService(serve: serve, ttl: "1ms", count: 2_000)
        try await attempt {
            var stock = [0: 1]
            // One client follows each step, the others some of them.
            var clients: [(revision: String, products: [String: JSONValue])] = []
            for step in 0..<12 {
                let before = stock
                if step > 0 {
                    for _ in 0..<200 { stock[Int.random(in: 0..<1_000, using: &random)] = step % 5 }
                    if step == 7 { stock = before }
                    if step == 9 { stock = [:] }
                    try shop.write(stock: stock)
                }
                let whole = try await shop.get("/products")
                let (revision, products) = (
                    String(try #require(whole["ETag"]).dropFirst().prefix(32)), Self.products(whole.json["products"])
                )
                #expect(products.count == 2_000)
                for (number, client) in clients.enumerated() where number == 0 || random.chance(30) {
                    let response = try await shop.get("/changes?since=\(client.revision)")
                    try #require(response.status == 200, "step \(step), client \(number): \(response.text)")
                    var held = client.products
                    for list in ["added", "changed"] {
                        for (id, product) in Self.products(response.json[list]) {
                            #expect((held.updateValue(product, forKey: id) == nil) == (list == "added"))
                        }
                    }
                    for id in response.json["removed"]?.array ?? [] { held[id.string ?? ""] = nil }
                    #expect(held == products, "step \(step), client \(number)")
                    if number == 0, step > 0, ![7, 9].contains(step) {
                        let changed = Set(stock.keys).filter { stock[$0] != before[$0] }.count
                        #expect(response.json["changed"]?.array?.count == changed)
                        #expect(response.body.count * 4 < whole.body.count)
                    }
                    clients[number] = (revision, products)
                }
                clients.append((revision, products))
            }
            #expect(try await shop.get("/changes?since=none").status == 410)
        } finally: {
            try await shop.service.stop()
        }
    }

    @Test(arguments: [StockService.overlay, StockService.merge])
    fileprivate func `a stream hears of a change when it is served, and goes on from any revision`(serve: String)
        async throws
    {
        let shop = try await StockService(serve: serve, ttl: "100ms", mode: "background", count: 20)
        try await attempt {
            _ = try await shop.get("/products")
            let reader = try await EventReader(port: shop.service.application.port)
            var last = try #require(try await reader.next()?.id)
            let first = last
            for stock in 2..<6 {
                // The polls of the feed wait for a clock that stands still.
                await shop.pauses.waitForSleepers()
                try shop.write(stock: [3: stock])
                let event = try #require(try await reader.next())
                #expect(event.name == "revision" && event.data["since"]?.string == last)
                if stock > 2 { #expect(["added", "changed", "removed"].map { event.ids($0) } == [[], ["p3"], []]) }
                last = try #require(event.id)
            }
            reader.leave()
            let again = try await EventReader(port: shop.service.application.port, "Last-Event-ID: \(first)\r\n")
            let event = try #require(try await again.next())
            #expect(event.name == "revision" && event.id == last && event.data["since"]?.string == first)
            #expect(event.ids("changed") == ["p0", "p3"])
            again.leave()
        } finally: {
            try await shop.service.stop()
        }
    }
}
