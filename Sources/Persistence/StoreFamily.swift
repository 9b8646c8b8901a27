public import Configuration
internal import Products

/// The `stores:` section: places where products are kept for the days when their source is away.
public enum StoreFamily: ComponentFamily {
    /// A store.
    public typealias Instance = any ProductsStore
    /// `store`.
    public static let noun = "store"
    /// `stores`.
    public static let section = "stores"
    /// One store holds the lock of its directory.
    public static let isTakenOver = true

    /// Every store a config file can name.
    public static let specs: [ComponentSpec<StoreFamily>] = [JSONFileProductsStore.spec]

    /// Used as it was made, but for saves in a dry run.
    public static func adopt(_ instance: any ProductsStore, as outline: ComponentOutline, in assembly: Assembly)
        -> any ProductsStore
    {
        assembly.optionalResource(DryRun.self) == nil ? instance : UnsavedProductsStore(upstream: instance)
    }
}

/// Gives what a store holds, and saves nothing in it.
private struct UnsavedProductsStore: ProductsStore {
    let upstream: any ProductsStore

    func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        try await upstream.products(for: request)
    }

    func save(_ snapshot: ProductsSnapshot) async throws {}
}
