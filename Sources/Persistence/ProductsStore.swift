public import Configuration
public import Products

/// Keeps products over a restart: a saver from which the last saved snapshot can be read again.
///
/// No answer waits for its save. Both ways to save go to one place. The store gives a snapshot from the call of
/// `saveLater` on, before it is on the disk; if its save fails, the store gives again what was saved before it.
public protocol ProductsStore: ProductsProvider, ProductsSaver {
    /// Saves the snapshot in the background after the saves before it, unless a newer one replaces it meanwhile. Never
    /// waits; the store reports failures.
    func saveLater(_ snapshot: ProductsSnapshot)
}

/// The `stores:` section: places where products are kept for the days when their source is away.
public enum StoreFamily: ComponentFamily {
    /// A store.
    public typealias Instance = any ProductsStore
    /// `store`.
    public static let noun = "store"
    /// `stores`.
    public static let section = "stores"

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
    func saveLater(_ snapshot: ProductsSnapshot) {}
}

/// A store that tells what is in it.
public protocol StoreReporting: Sendable {
    /// How many generations there are to step back to, the newest included; nil when that cannot be told now. It does
    /// not wait for a disk that hangs.
    func generationCount() async -> Int?
    /// For how long the save that runs has been running; zero without one.
    var savingTime: Duration { get }
}
