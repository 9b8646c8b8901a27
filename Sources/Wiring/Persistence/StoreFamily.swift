package import Configuration
package import EventLoop
internal import Fleet
internal import Hashing
package import Persistence
package import Products
internal import Providers

/// The `stores:` section: places where products are kept for the days when their source is away.
package enum StoreFamily: ComponentFamily {
    package typealias Instance = any GraphStore
    package static let noun = "store"
    package static let section = "stores"

    package static let specs: [ComponentSpec<StoreFamily>] = [
        JSONFileProductsStore.spec, SharedProductsStore.redis,
    ]

    /// Makes the store, in a dry run one that discards saves.
    package static func instance(
        of outline: ComponentOutline, in assembly: Assembly, _ make: () throws -> any GraphStore
    ) throws -> any GraphStore {
        assembly.optionalResource(DryRun.self) == nil ? try make() : UnsavedProductsStore(upstream: try make())
    }
}

/// A store of a graph. It makes the `caching` that saves to it.
package protocol GraphStore: ProductsStore {
    func caching(_ node: CachingNode) -> any ProductsProvider
}

/// A `caching` of the config.
package struct CachingNode {
    let name: String
    let upstream: any ProductsProvider
    /// Identifies the products of the upstream.
    let fingerprint: String
    let assembly: Assembly

    /// Returns a provider that saves to a store which no other replica has.
    package func saving(to store: some ProductsStore) -> any ProductsProvider {
        CachingProductsProviderDecorator(name: name, upstream: upstream, saver: BackgroundSaver(store))
    }
}

extension JSONFileProductsStore: GraphStore {
    package func caching(_ node: CachingNode) -> any ProductsProvider { node.saving(to: self) }
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

    /// The remedy where no memory obeys a pin of a store.
    package static let wayToPins =
        "it takes a \"memory\" above its \"caching\", with no \"merge\", \"overlay\", \"audience\" or \"ab_test\" between the two"

    /// The stores of the graph below this root whose generations cannot be pinned.
    package var unpinnableStores: [ComponentOutline] {
        let obeyed = Set(all.flatMap(\.obeyedStores).map(\.id))
        return all.filter { $0.family == StoreFamily.noun && !obeyed.contains($0.id) }
    }

    /// The unpinnable stores that a provider of the graph saves to or serves.
    package var servedUnpinnableStores: [ComponentOutline] {
        let children = all.filter { !$0.keepsOthersInStore }.flatMap(\.children)
        let served = Set(children.filter { $0.role == "store" }.map(\.outline.id))
        return unpinnableStores.filter { served.contains($0.id) }
    }

    /// Whether this is a store that several replicas share.
    package var isSharedStore: Bool { facts(StoreTraits.self).contains(where: \.isShared) }
}

/// Has nothing, and discards saves: the smallest store. It stands for a shared store in a process that takes no part in its
/// fleet.
struct AbsentProductsStore: GraphStore {
    var savingTime: Duration { .zero }
    var changes: AsyncStream<Void> { AsyncStream { $0.finish() } }

    func products(for request: ProductsRequest) async throws -> ProductsAnswer { throw ProductsFailure.notStored }
    func pinned() async -> ProductsAnswer? { nil }
    func hasNewer(than mark: CatalogueMark) -> Bool { false }
    func save(_ snapshot: ProductsSnapshot) async throws {}
    func saveLater(_ snapshot: ProductsSnapshot) {}
    func generationCount() async -> Int? { nil }
    func caching(_ node: CachingNode) -> any ProductsProvider { node.saving(to: self) }
}

/// Reads from a store and discards saves.
private struct UnsavedProductsStore: GraphStore {
    let upstream: any GraphStore

    func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        try await upstream.products(for: request)
    }

    var changes: AsyncStream<Void> { upstream.changes }
    func pinned() async -> ProductsAnswer? { await upstream.pinned() }
    func hasNewer(than mark: CatalogueMark) -> Bool { upstream.hasNewer(than: mark) }
    func save(_ snapshot: ProductsSnapshot) async throws {}
    func saveLater(_ snapshot: ProductsSnapshot) {}
    func generationCount() async -> Int? { await upstream.generationCount() }
    var savingTime: Duration { .zero }
    func caching(_ node: CachingNode) -> any ProductsProvider { node.saving(to: self) }
}

/// The fingerprint of a part of a graph: replicas with the same one get the same products from the same upstream.
///
/// It is made from the types and settings of the components, in the order of the graph. Left out is what changes no
/// products: times, limits, secrets, stores and sinks, and the components that only decide whether and when the upstream
/// is asked. Settings that equal their defaults count as absent, so that a new version with a new setting shares the
/// catalogue of the version before.
extension ComponentOutline {
    /// 12 hexadecimal digits.
    package var contentFingerprint: String {
        String(SHA256Digest(of: contentText.utf8).hexDigits.prefix(12))
    }

    private static let operational: Set<String> = [
        "timeout", "connect_timeout", "max_body", "full_every", "tls", "proxy", "no_proxy", "resolve",
    ]
    /// Settings whose members may be secrets, which are replaced at any time.
    private static let carryingSecrets: Set<String> = ["headers", "parameters"]
    /// The families of components that change products.
    private static let families: Set<String> = [ProviderFamily.noun, PaginationFamily.noun]

    private var contentText: String {
        let parts = children.filter { Self.families.contains($0.outline.family) }
        if passesOn, parts.count == 1, let upstream = parts.first { return upstream.outline.contentText }
        let own = settings.fields.compactMap { field in
            Self.operational.contains(field.name) ? nil : text(of: field, settings.given(field.name))
        }
        let below = parts.map { "\($0.role.debugDescription):\($0.outline.contentText)" }
        return "\(type){\(own.joined(separator: ","))}[\(below.joined(separator: ","))]"
    }

    /// The text of a setting; nil for one that is absent, a default, a secret or a component.
    private func text(of field: FieldSpec, _ node: ConfigNode?) -> String? {
        guard let node, !node.isNull else { return nil }
        switch field.type {
        case .secret, .component, .components, .componentMap: return nil
        case .map where Self.carryingSecrets.contains(field.name):
            let members = (node.entries ?? []).filter { !ConfiguredRequestTemplate.isSecret($0.key) }
            let texts = members.map { "\($0.key.debugDescription):\(Self.text(of: $0.value))" }
            return texts.isEmpty ? nil : "\(field.name)={\(texts.joined(separator: ","))}"
        case .object(let fields), .unlessOff(let fields):
            guard node.entries != nil else { break }
            let inner = fields.compactMap { field in text(of: field, node[field.name]) }
            return inner.isEmpty ? nil : "\(field.name)={\(inner.joined(separator: ","))}"
        default: break
        }
        if case .defaulted(let text) = field.requirement, node.text == text { return nil }
        return "\(field.name)=\(Self.text(of: node))"
    }

    private static func text(of node: ConfigNode) -> String {
        switch node.content {
        case .null: return "~"
        case .scalar(let text, _): return (node.showsValue ? text : node.found).debugDescription
        case .sequence(let elements): return "[\(elements.map(text).joined(separator: ","))]"
        case .mapping(let entries):
            return "{\(entries.map { "\($0.key.debugDescription):\(text(of: $0.value))" }.joined(separator: ","))}"
        }
    }
}
