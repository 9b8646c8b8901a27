package import Configuration
package import Products

/// Keeps products over a restart: a saver from which the last saved snapshot can be read again.
///
/// No answer waits for its save. Both ways to save go to one place. The store gives a snapshot from the call of
/// `saveLater` on, before it is on the disk; if its save fails, the store gives again what was saved before it.
package protocol ProductsStore: ProductsProvider, ProductsSaver {
    /// Saves the snapshot in the background after the saves before it, unless a newer one replaces it meanwhile. Never
    /// waits; the store reports failures.
    func saveLater(_ snapshot: ProductsSnapshot)
    /// Counts the generations to step back to, the newest included, without waiting for a disk that hangs.
    /// - Returns: nil when the number is unknown at the moment.
    func generationCount() async -> Int?
    /// The time that the running save has taken so far; zero without one.
    var savingTime: Duration { get }
}

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

/// Reads from a store and discards saves.
private struct UnsavedProductsStore: ProductsStore {
    let upstream: any ProductsStore

    func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        try await upstream.products(for: request)
    }

    func save(_ snapshot: ProductsSnapshot) async throws {}
    func saveLater(_ snapshot: ProductsSnapshot) {}
    func generationCount() async -> Int? { await upstream.generationCount() }
    var savingTime: Duration { .zero }
}
