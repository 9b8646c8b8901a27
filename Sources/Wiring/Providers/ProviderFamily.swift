package import Configuration
package import Products
package import Providers

/// The family of the `providers:` section: the nodes of the graph.
package enum ProviderFamily: ComponentFamily {
    /// A provider.
    package typealias Instance = any ProductsProvider
    /// `provider`.
    package static let noun = "provider"
    /// `providers`.
    package static let section = "providers"

    /// Makes the provider, and wraps it if the assembly has a `GraphObservation`.
    package static func instance(
        of outline: ComponentOutline, in assembly: Assembly, _ make: () throws -> any ProductsProvider
    ) throws -> any ProductsProvider {
        let provider = try make()
        return assembly.optionalResource(GraphObservation.self)?.observed(
            provider, id: outline.id, type: outline.type, holding: assembly.optionalResource(GraphUse.self))
            ?? provider
    }
}

/// Facts about all providers of one type, stated in their spec for lints.
package struct ProviderTraits: Sendable {
    /// Computes the longest time until a provider answers or fails, from its settings and the longest times of the
    /// providers directly below it.
    package typealias LongestWait = @Sendable (_ settings: ComponentSettings, _ below: [Duration]) -> Duration

    /// The effect of a pin in a store below the provider.
    enum Pins: Sendable {
        case passes
        /// It serves the pinned catalogue in place of its own.
        case obeys
        /// It composes a catalogue of its own from several.
        case stops
    }

    /// Whether it passes on every catalogue of the provider below it in this role, so that it has one to serve as long
    /// as that has. It then passes the leases on too, of any catalogue: see `ProductsAnswer.passingLease`.
    typealias PassesEvery = @Sendable (_ role: String) -> Bool

    /// Whether it has a catalogue after a restart without a request to an upstream.
    let outlivesRestarts: Bool
    /// Whether it passes on the catalogue of its upstream unchanged, and only decides whether and when to request it.
    let passesOn: Bool
    let passesEvery: PassesEvery
    let pins: Pins
    let longestWait: LongestWait

    init(
        outlivesRestarts: Bool = false, passesOn: Bool = false, passesEvery: @escaping PassesEvery = { _ in false },
        pins: Pins = .passes, longestWait: @escaping LongestWait
    ) {
        (self.outlivesRestarts, self.passesOn, self.pins) = (outlivesRestarts, passesOn, pins)
        (self.passesEvery, self.longestWait) = (passesEvery, longestWait)
    }

    /// As long as the slowest of the providers directly below.
    static let slowest: LongestWait = { _, below in below.max() ?? .zero }
}

/// The facts that the specs of providers state.
extension ComponentOutline {
    /// Whether this is a provider that has a catalogue after a restart.
    package var outlivesRestarts: Bool { traits?.outlivesRestarts ?? false }

    /// Whether this is a provider that passes on the catalogue of its upstream unchanged.
    var passesOn: Bool { traits?.passesOn ?? false }

    /// The providers that publish what clients get from this one: the highest `memory` on each path on which every
    /// catalogue is passed on.
    package var publishers: [ComponentOutline] {
        guard family == ProviderFamily.noun, let traits else { return [] }
        if traits.pins == .obeys { return [self] }
        return children.filter { traits.passesEvery($0.role) }.flatMap(\.outline.publishers)
    }

    /// Returns the longest time until this provider answers or fails.
    ///
    /// - Parameter below: the longest times of the providers directly below it.
    package func longestWait(_ below: [Duration]) -> Duration {
        (traits?.longestWait ?? ProviderTraits.slowest)(settings, below)
    }

    /// The request headers that its own decisions depend on, without those of the components below.
    package var ownVariations: [RequestVariation] { facts(RequestVariation.self) }

    /// The variations of the component and of everything below it.
    package var variations: [RequestVariation] { all.flatMap(\.ownVariations) }

    /// The stores whose pins this provider obeys, in order of precedence.
    package var obeyedStores: [ComponentOutline] {
        traits?.pins == .obeys ? children.flatMap(\.outline.pinnables).map(\.store) : []
    }

    /// The stores whose newer catalogues this provider serves at once.
    package var followedStores: [ComponentOutline] {
        traits?.pins == .obeys ? children.flatMap(\.outline.offers).map(\.store) : []
    }

    /// A store, and the component through which it offers catalogues: a shared store has one for each configuration,
    /// which belongs to its `caching`.
    typealias Offer = (store: ComponentOutline, maker: ComponentOutline)

    /// The offers of this provider's catalogue: a catalogue pinned there can replace its own.
    var pinnables: [Offer] {
        offers { $0.ownVariations.isEmpty && $0.traits?.pins ?? .passes == .passes }
    }

    /// The offers of the stores that this provider reads or saves to, up to a provider that obeys pins.
    var offers: [Offer] { offers { $0.traits?.pins != .obeys } }

    private func offers(through isPassed: (ComponentOutline) -> Bool) -> [Offer] {
        guard family == ProviderFamily.noun, isPassed(self) else { return [] }
        var seen: Set<String> = []
        return children.flatMap { child -> [Offer] in
            guard child.role == "store" else { return child.outline.offers(through: isPassed) }
            if keepsOthersInStore { return [] }
            return [(child.outline, child.outline.isSharedStore ? self : child.outline)]
        }.filter { seen.insert($0.maker.id).inserted }
    }

    /// Whether the catalogues in its own store are others than it provides, such as the entries of an `overlay`.
    package var keepsOthersInStore: Bool { traits?.pins == .stops }

    private var traits: ProviderTraits? { facts(ProviderTraits.self).first }
}

extension Assembly {
    /// The signal of the catalogues that come into force.
    package var catalogueSignal: CatalogueSignal { resource(CatalogueSignal.self) }
}
