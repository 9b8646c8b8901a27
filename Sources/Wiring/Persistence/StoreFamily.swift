package import Configuration
package import Persistence
internal import Products

/// The `stores:` section: places where products are kept for the days when their source is away.
package enum StoreFamily: ComponentFamily {
    package typealias Instance = any ProductsStore
    package static let noun = "store"
    package static let section = "stores"

    package static let specs: [ComponentSpec<StoreFamily>] = [JSONFileProductsStore.spec]

    /// Passes the store on, in a dry run without its saves.
    package static func adopt(_ instance: any ProductsStore, as outline: ComponentOutline, in assembly: Assembly)
        -> any ProductsStore
    {
        assembly.optionalResource(DryRun.self) == nil ? instance : UnsavedProductsStore(upstream: instance)
    }
}

/// Replaces the closing time of stores made from a config; an optional resource of the assembly.
package struct StoreEnvironment: Sendable {
    let closingTime: Duration

    package init(closingTime: Duration) {
        self.closingTime = closingTime
    }
}

/// Reads from a store and discards saves.
private struct UnsavedProductsStore: ProductsStore {
    let upstream: any ProductsStore

    func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        try await upstream.products(for: request)
    }

    var isPinned: Bool { upstream.isPinned }

    func pinnedAnswer(to request: ProductsRequest) async -> ProductsAnswer? {
        await upstream.pinnedAnswer(to: request)
    }

    func save(_ snapshot: ProductsSnapshot) async throws {}
    func saveLater(_ snapshot: ProductsSnapshot) {}
    func generationCount() async -> Int? { await upstream.generationCount() }
    var savingTime: Duration { .zero }
}
