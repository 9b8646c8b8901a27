package import Configuration
package import EventLoop
internal import Fleet
package import Persistence
internal import Products

/// The `stores:` section: places where products are kept for the days when their source is away.
package enum StoreFamily: ComponentFamily {
    package typealias Instance = any ProductsStore
    package static let noun = "store"
    package static let section = "stores"

    package static let specs: [ComponentSpec<StoreFamily>] = [
        JSONFileProductsStore.spec, RedisProductsStore.spec,
    ]

    /// Makes the store, in a dry run one that discards saves.
    package static func instance(
        of outline: ComponentOutline, in assembly: Assembly, _ make: () throws -> any ProductsStore
    ) throws -> any ProductsStore {
        assembly.optionalResource(DryRun.self) == nil ? try make() : UnsavedProductsStore(upstream: try make())
    }
}

/// The process in which stores made from a config work; an optional resource of the assembly.
package struct StoreEnvironment: Sendable {
    let closingTime: Duration

    /// - Parameter closingTime: the time that a closing store waits for its saves.
    package init(closingTime: Duration = JSONFileProductsStore.closingTime) {
        self.closingTime = closingTime
    }
}

/// The part that this process takes in fleets; an optional resource of the assembly. Without it shared stores are neither
/// connected nor written: `larder fetch` asks the upstream itself.
package struct FleetEnvironment: Sendable {
    let loop: EventLoop
    /// The name of the process in its fleets, different from all others.
    let member: String

    /// - Parameter loop: has the connections.
    package init(loop: EventLoop, member: String) {
        (self.loop, self.member) = (loop, member)
    }
}

/// Facts about all stores of one type, stated in their spec for others.
struct StoreTraits: Sendable {
    /// Whether all replicas have the same.
    var isShared = false
}

/// A place on this machine's disk where a component makes files, stated in its spec.
struct DataPlace: Sendable {
    /// The field with the path.
    let field: String
    /// Whether the path is of a file, and not of the directory.
    var isFile = false
}

extension ComponentOutline {
    /// The places where the component makes files.
    package var dataPaths: [(path: String, isFile: Bool)] {
        facts(DataPlace.self).compactMap { place in settings.text(place.field).map { ($0, place.isFile) } }
    }

    /// Whether this is a store that several replicas share.
    package var isSharedStore: Bool { facts(StoreTraits.self).contains(where: \.isShared) }
}

/// Stands for a shared store in a process that takes no part in its fleet: it has nothing, and discards saves.
struct AbsentProductsStore: ProductsStore {
    var savingTime: Duration { .zero }
    var changes: AsyncStream<Void> { AsyncStream { $0.finish() } }

    func products(for request: ProductsRequest) async throws -> ProductsAnswer { throw ProductsFailure.notStored }
    func pinned() async -> ProductsAnswer? { nil }
    func hasNewer(than mark: CatalogueMark?) -> Bool { false }
    func save(_ snapshot: ProductsSnapshot) async throws {}
    func saveLater(_ snapshot: ProductsSnapshot) {}
    func generationCount() async -> Int? { nil }
}

/// Reads from a store and discards saves.
private struct UnsavedProductsStore: ProductsStore {
    let upstream: any ProductsStore

    func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        try await upstream.products(for: request)
    }

    var changes: AsyncStream<Void> { upstream.changes }
    func pinned() async -> ProductsAnswer? { await upstream.pinned() }
    func hasNewer(than mark: CatalogueMark?) -> Bool { upstream.hasNewer(than: mark) }
    func save(_ snapshot: ProductsSnapshot) async throws {}
    func saveLater(_ snapshot: ProductsSnapshot) {}
    func generationCount() async -> Int? { await upstream.generationCount() }
    var savingTime: Duration { .zero }
}
