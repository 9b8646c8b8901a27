import FoundationEssentials
import JSON
import Networking
import ServingTestSupport
import TestSupport
import Testing

/// The products that a client of `/changes` holds.
struct HeldCatalogue: Equatable {
    var revision: String
    /// By id.
    var products: [String: JSONValue]

    /// Reads the whole catalogue.
    init(of service: OrderedService) async throws {
        let whole = try await service.get("/products")
        revision = String(try #require(whole["ETag"]).dropFirst().prefix(32))
        products = [:]
        hold(whole.json["products"])
    }

    /// Takes a difference over.
    mutating func apply(_ changes: JSONObject) throws {
        #expect(changes["since"]?.string == revision)
        for product in try #require(changes["changed"]?.array) {
            let id = try Self.id(product)
            #expect(products[id] != nil)
        }
        for product in try #require(changes["added"]?.array) {
            let id = try Self.id(product)
            #expect(products[id] == nil)
        }
        hold(changes["added"])
        hold(changes["changed"])
        for id in try #require(changes["removed"]?.array) {
            let id = try #require(id.string)
            #expect(products.removeValue(forKey: id) != nil)
        }
        revision = try #require(changes["revision"]?.string)
    }

    private mutating func hold(_ list: JSONValue?) {
        for product in list?.array ?? [] { products[product.object?["id"]?.string ?? "none"] = product }
    }

    private static func id(_ product: JSONValue) throws -> String { try #require(product.object?["id"]?.string) }
}

@Suite(.timeLimit(.minutes(2)))
struct ChangesRoutesTests {
    @Test(arguments: 0..<5) func `changes lead from every kept revision to the present`(seed: Int) async throws {
        var random = SeededGenerator(seed: seed)
        try await OrderedService.with { service in
            var known: [HeldCatalogue] = []
            for _ in 0..<8 {
                let names = (0..<Int.random(in: 1...12, using: &random)).map { _ in
                    random.pick(["Mug", "Cup", "\"ü\\"])
                }
                try await service.put(names, sales: random.pick([0, 200]))
                known.append(try await HeldCatalogue(of: service))
            }
            if random.chance(50) {
                #expect(try await service.order("/pin?generation=1").status == 200)
            }
            let present = try await HeldCatalogue(of: service)
            for var held in known {
                let changes = try await service.get("/changes?since=\(held.revision)")
                #expect(changes.status == 200)
                try held.apply(changes.json)
                #expect(held == present)
            }
        }
    }

    @Test func `after a restart changes lead from the generations of the store alone`() async throws {
        var (known, shelf): ([HeldCatalogue], Shelf?) = ([], nil)
        try await OrderedService.with { service in
            for names in [["Mug", "Cup"], ["Cup", "Cup", "Jar"], ["Jar"]] {
                try await service.put(names)
                known.append(try await HeldCatalogue(of: service))
            }
            shelf = service.shelf
        }
        try await OrderedService.with(on: shelf) { service in
            let present = try await HeldCatalogue(of: service)
            #expect(present == known.last)
            let listings = service.shelf.listings
            for var held in known {
                try held.apply(try await service.get("/changes?since=\(held.revision)").json)
                #expect(held == present)
            }
            #expect(service.shelf.listings > listings)
        }
    }

    @Test func `whole products come as the catalogue has them, and nothing where nothing changed`() async throws {
        try await OrderedService.with { service in
            try await service.put(["Mug", "Cup", "Jar"], sales: 200)
            let before = try await HeldCatalogue(of: service)
            try await service.put(["Mug", "Jug"], sales: 200)
            let present = try await HeldCatalogue(of: service)
            let json = try await service.get("/changes?since=\(before.revision)").json
            #expect(json["revision"]?.string == present.revision && json["since"]?.string == before.revision)
            #expect(json["added"] == .array([]))
            let jug = try #require(present.products["2"])
            #expect(json["changed"] == .array([jug]))
            #expect(json["changed"]?.array?.first?.object?["isPopular"] == true)
            #expect(json["removed"] == .array(["3"]))
            let none = try await service.get("/changes?since=\(present.revision)").json
            #expect(none["revision"]?.string == present.revision)
            #expect([none["added"], none["changed"], none["removed"]] == [.array([]), .array([]), .array([])])
        }
    }

    @Test func `a difference has a tag of both revisions, and the freshness of products`() async throws {
        try await OrderedService.with { service in
            try await service.put(["Mug"])
            let before = try await HeldCatalogue(of: service).revision
            try await service.put((0..<100).map { "Cup \($0)" })
            let now = try await HeldCatalogue(of: service).revision
            let answer = try await service.get("/changes?since=\(before)")
            let tag = try #require(answer["ETag"])
            #expect(tag.hasPrefix("\"\(before)-\(now)-"))
            #expect(answer["Vary"] == "Accept, Accept-Encoding")
            #expect(answer["Cache-Status"]?.hasPrefix("larder; hit") == true)
            let products = try await service.get("/products")
            #expect(answer["Cache-Control"] == products["Cache-Control"])
            let known = try await service.get("/changes?since=\(before)", "If-None-Match: \(tag)\r\n")
            #expect(known.status == 304 && known.body.isEmpty && known["ETag"] == tag)
            let zipped = try await service.get("/changes?since=\(before)", "Accept-Encoding: gzip\r\n")
            #expect(zipped["Content-Encoding"] == "gzip" && zipped.body.count < answer.body.count)
            #expect(try await service.get("/changes?since=\(before)", "Accept-Encoding: *;q=0\r\n").status == 406)
        }
    }

    @Test func `revisions that are not kept are gone, and cost one listing a second`() async throws {
        try await OrderedService.with { service in
            try await service.put(["Mug"])
            let first = try await HeldCatalogue(of: service).revision
            try await service.put(["Cup"])
            let second = try await HeldCatalogue(of: service).revision
            try await service.put(["Jar"])
            #expect(try await service.get("/changes?since=\(first)").status == 200)
            let listings = service.shelf.listings
            for number in 0..<20 {
                let gone = try await service.get("/changes?since=\(number)")
                #expect(gone.status == 410)
                #expect(gone["Link"] == "</products>; rel=\"alternate\"")
                #expect(gone["Content-Type"] == "application/problem+json" && gone["Cache-Control"] == "no-store")
            }
            #expect(service.shelf.listings == listings + 1)
            service.pauses.advance(by: .seconds(1))
            for _ in 0..<3 { #expect(try await service.get("/changes?since=none").status == 410) }
            #expect(service.shelf.listings == listings + 2)
            service.shelf.thin(2)
            #expect(try await service.get("/changes?since=\(second)").status == 200)
        }
    }

    @Test func `without a store the revisions that were served are known, and no others`() async throws {
        try await OrderedService.with(isStore: false) { service in
            try await service.put(["Mug"])
            let first = try await HeldCatalogue(of: service).revision
            #expect(try await service.get("/changes?since=\(first)").status == 200)
            try await service.put(["Cup"])
            #expect(try await service.get("/changes?since=\(first)").status == 200)
            #expect(try await service.get("/changes?since=none").status == 410)
        }
    }

    @Test(arguments: ["", "?", "?since", "?since=", "?sinse=a", "?since=a&since=b"])
    func `a request names the revision that it has`(query: String) async throws {
        try await OrderedService.with { service in
            let refused = try await service.get("/changes\(query)")
            #expect(refused.status == 400)
            #expect(refused.json["parameter"]?.string?.hasPrefix("sin") == true)
        }
    }

    @Test func `without a catalogue there is no difference`() async throws {
        try await OrderedService.with(isEmpty: true) { service in
            let difference = try await service.get("/changes?since=a")
            #expect(difference.status == 503)
        }
    }

    @Test(arguments: [("surrogate-key", "Surrogate-Key", " "), ("cache-tag", "Cache-Tag", ",")])
    func `responses are named for purges where the config wants it`(
        mode: String, header: String, separator: String
    ) async throws {
        let service = try InMemoryService(http: "surrogate_key: \(mode)")
        let list = try await service.get("/products")
        let revision = try #require(list.headers["ETag"]).dropFirst()
        #expect(list.headers[header] == "products\(separator)rev-\(revision.prefix(8))")
        let one = try await service.get("/products/p-1")
        #expect(one.status == 200)
        #expect(one.headers[header] == "products\(separator)product-p-1")
        let changes = try await service.get("/changes?since=\(revision.prefix(32))")
        #expect(changes.headers[header] == list.headers[header])
        let usual = try await InMemoryService().get("/products")
        #expect(usual.headers["Surrogate-Key"] == nil && usual.headers["Cache-Tag"] == nil)
    }
}
