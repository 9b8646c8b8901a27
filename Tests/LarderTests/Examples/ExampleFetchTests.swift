import JSON
import TestSupport
import Testing

@Suite("Example configs: larder fetch", .timeLimit(.minutes(2)))
struct ExampleFetchTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test("It prints the whole catalogue, in order, with prices to the digit", arguments: Example.all, [10, nil])
    func whole(example: Example, pageSize: Int?) async throws {
        let wares = Ware.stock()
        let shop = StandIn(example.api, wares: wares)
        defer { shop.close() }
        let result = try await fetch(example, from: shop, pageSize: pageSize)
        #expect(result.status == 0)
        #expect(ListedProduct.all(in: result.output) == example.products(of: wares))
        #expect(shop.requests.count == (example.api.isPaged && pageSize != nil ? 4 : 1))
        #expect(!example.isTold(in: String(decoding: result.output, as: UTF8.self) + result.error))
    }

    @Test(
        "Nothing is served that is no business of customers, whatever the shop tells",
        arguments: Example.all.filter { !$0.api.privateMembers.isEmpty })
    func privacy(example: Example) async throws {
        let told = StandIn(example.api, ignoring: ["fields", "_fields", "exclude_fields"])
        defer { told.close() }
        let result = try await fetch(example, from: told, pageSize: nil)
        #expect(ListedProduct.all(in: result.output) == example.products(of: Ware.stock()))
        let names = Self.names(in: try JSONParser().parse(result.output))
        #expect(names.contains("currency"))
        #expect(names.intersection(example.api.privateMembers) == [])
    }

    /// The names of all members in a value, at any depth.
    private static func names(in value: JSONValue) -> Set<String> {
        switch value {
        case .object(let object):
            object.members.reduce(into: Set(object.keys)) { $0.formUnion(names(in: $1.value)) }
        case .array(let elements): elements.reduce(into: []) { $0.formUnion(names(in: $1)) }
        case .null, .bool, .number, .string: []
        }
    }

    @Test("commercetools' minor units count by the currency's digits", arguments: CommercetoolsCurrency.allCases)
    func digits(currency: CommercetoolsCurrency) async throws {
        let example = Example(CommercetoolsAPI(currency: currency))
        let shop = StandIn(example.api)
        defer { shop.close() }
        let result = try await fetch(example, from: shop)
        #expect(ListedProduct.all(in: result.output) == example.products(of: Ware.stock()))
    }

    @Test("WooCommerce's dimensions, of which a shop may fill in some only, count where all three are there")
    func dimensions() async throws {
        let shop = StandIn(WooCommerceAPI())
        defer { shop.close() }
        let result = try await fetch(Example(WooCommerceAPI()), from: shop)
        let products = try JSONParser().parse(result.output).object?["products"]?.array ?? []
        let measured = products.filter { $0.object?["dimensions"] != nil }
        let expected = Ware.stock().filter { !$0.isHidden && WooCommerceItem(ware: $0).isMeasured }
        #expect(!expected.isEmpty)
        #expect(measured.map { $0.object?["name"]?.string } == expected.map(\.name))
        let size: JSONObject = [
            "width": .number(JSONNumber(literal: "20.5") ?? JSONNumber(0)), "height": 10, "depth": 30,
        ]
        #expect(measured.allSatisfy { $0.object?["dimensions"] == .object(size) })
    }

    @Test(
        "A secret that the API does not take is a failure that does not tell it",
        arguments: Example.all.filter { !$0.api.secrets.isEmpty })
    func refused(example: Example) async throws {
        let shop = StandIn(example.api)
        defer { shop.close() }
        let result = try await fetch(example, from: shop, secrets: example.api.secrets.mapValues { _ in "stale-key" })
        #expect(result.status == 1)
        #expect(result.output == [])
        #expect(result.error.contains("401"))
        #expect(!result.error.contains("stale-key"))
        #expect(!example.isTold(in: result.error))
        #expect(shop.requests.count == 1)
    }

    private func fetch(
        _ example: Example, from shop: StandIn, pageSize: Int? = 10, secrets: [String: String]? = nil
    ) async throws -> (status: Int32?, output: [UInt8], error: String) {
        let environment = try example.environment(
            upstream: shop.url, in: directory, pageSize: pageSize, secrets: secrets)
        return try await LarderProcess.run(
            ["fetch", "--config", example.config], environment: environment, in: directory)
    }
}
