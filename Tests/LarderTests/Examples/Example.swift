import FileSystem
import JSON
import TestSupport
import Testing

/// An example config, next to the stand-in for the API that it is for.
struct Example: Sendable, CustomTestStringConvertible {
    /// All of them.
    static let all = [
        Example(DummyJSONAPI()), Example(FakeStoreAPI()), Example(WooCommerceAPI()), Example(ShopifyAPI()),
        Example(BigCommerceAPI()), Example(CommercetoolsAPI()),
    ]

    let api: any ShopAPI

    init(_ api: some ShopAPI) {
        self.api = api
    }

    var testDescription: String { api.name }

    var config: String { "\(Repository.root)/config/examples/\(api.name).yaml" }

    /// All that the config is to be told; secrets are put into files.
    /// - Parameters:
    ///   - pageSize: how many products are wanted on a page; nil for what the config says itself.
    ///   - secrets: what is in the files; nil for what opens the stand-in's door.
    func environment(
        upstream: String, in directory: TemporaryDirectory, pageSize: Int? = 10, secrets: [String: String]? = nil
    ) throws -> [String: String] {
        var environment = [
            "LARDER_UPSTREAM_URL": upstream, "LARDER_DATA": directory("data"), "LARDER_LISTEN": "127.0.0.1:0",
            "LARDER_ADMIN": "127.0.0.1:0",
        ]
        environment["LARDER_PAGE_SIZE"] = pageSize.map { "\($0)" }
        environment.merge(api.variables) { $1 }
        for (variable, secret) in secrets ?? api.secrets {
            environment[variable] = directory("\(variable)-\(UInt64.random(in: 0...UInt64.max))")
            try Files.create(environment[variable] ?? "", Array("\(secret)\n".utf8))
        }
        return environment
    }

    /// What Larder has to make of the wares.
    func products(of wares: [Ware]) -> [ListedProduct] {
        wares.compactMap { api.product(of: $0) }
    }

    /// Whether a text has a secret in it, as it is or as it is sent.
    func isTold(in text: String) -> Bool {
        api.secrets.values.contains { text.contains($0) } || text.contains("Basic ") || text.contains("Bearer ")
    }
}
