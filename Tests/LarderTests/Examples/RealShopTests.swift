import FileSystem
import JSON
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct RealShopTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func fetch(
        _ shop: RealShop, key: String? = nil
    ) async throws -> (status: Int32?, output: [UInt8], error: String) {
        let path = directory("\(shop.name).yaml")
        try Files.create(path, Array(shop.config.utf8))
        var environment = try shop.variables.mapValues { key ?? $0 }
        environment["LARDER_DATA"] = directory("data")
        return try await LarderProcess.run(["fetch", "--config", path], environment: environment, in: directory)
    }

    @Test(arguments: RealShop.names)
    func `an example reads all pages of its shop, with every product, price, category, variant and image`(name: String)
        async throws
    {
        let shop = try RealShop(name)
        defer { shop.close() }
        let lines = try shop.config.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("#") }
        #expect(lines.count <= 25)
        let result = try await fetch(shop)
        #expect(result.status == 0, "\(result.error)")
        let products = JSONValue.products(in: result.output) ?? []
        #expect(try products.map(Self.summary) == shop.expected, "\(result.error)")
        // The pages by the last id overlap.
        #expect(shop.requestCount >= shop.pageCount)
        let config = try shop.config
        guard config.contains("attributes: keep") else { return }
        let byID = Dictionary(products.map { ($0.object?["id"]?.scalar ?? "", $0) }) { $1 }
        var compared = 0
        for item in shop.items {
            let item = item.object?["node"] ?? item
            let ids = ["id", "code", "product_id"].compactMap { item.object?[$0]?.scalar }
            guard let product = ids.lazy.compactMap({ byID[$0] }).first else { continue }
            let lost = Self.leaves(of: item).subtracting(Self.leaves(of: product))
            #expect(lost.isEmpty, "\(ids)")
            compared += 1
        }
        // Variants that are items of their own, and items that are not for sale, are no products.
        #expect(compared >= min(products.count, 1))
    }

    @Test func `every catalogue has a shop, and most ask for a key`() {
        #expect(RealShop.names.count >= 29)
        #expect(RealShop.namesWithKey.count >= 12)
    }

    @Test(arguments: RealShop.namesWithKey)
    func `a wrong key is a failure that says so`(name: String) async throws {
        let shop = try RealShop(name)
        defer { shop.close() }
        let result = try await fetch(shop, key: "stale")
        #expect(result.status == 1)
        #expect(result.error.contains("401"), "\(result.error)")
        #expect(shop.requestCount == 1)
    }

    /// The members of a product that `expected.json` has.
    private static func summary(of product: JSONValue) -> JSONValue {
        let price = product.object?["price"]?.object
        var members: JSONObject = [
            "id": product.object?["id"] ?? .null, "name": product.object?["name"] ?? .null,
            "amount": .string(price?["amount"]?.scalar ?? ""), "currency": price?["currency"] ?? .null,
        ]
        if let category = product.object?["category"] { members["category"] = category }
        if let image = product.object?["imageURL"]?.string, !image.isEmpty { members["imageURL"] = .string(image) }
        let variants = product.object?["variants"]?.array ?? []
        if variants.contains(where: { $0.object?["price"]?.object != nil }) {
            members["variants"] = .array(
                variants.map { variant in
                    var members = JSONObject()
                    for name in ["id", "sku"] where !(variant.object?[name]?.isNull ?? true) {
                        members[name] = variant.object?[name]
                    }
                    if let price = variant.object?["price"]?.object, let amount = price["amount"]?.scalar {
                        members["price"] = .string("\(amount) \(price["currency"]?.string ?? "")")
                    }
                    return .object(members)
                })
        }
        return .object(members)
    }

    /// All texts and numbers in a value, but for the names of GraphQL's types; of numbers the digits, as the places of a price's point may differ.
    private static func leaves(of value: JSONValue) -> Set<String> {
        if let elements = value.array { return elements.reduce(into: []) { $0.formUnion(leaves(of: $1)) } }
        if let object = value.object {
            return object.members.filter { $0.key != "__typename" }
                .reduce(into: []) { $0.formUnion(leaves(of: $1.value)) }
        }
        guard let text = value.scalar, !text.isEmpty else { return [] }
        guard JSONNumber(literal: text) != nil else { return [text.uppercased()] }
        let digits = text.filter(\.isNumber).drop { $0 == "0" }
        return [String(digits.reversed().drop { $0 == "0" })]
    }
}
