package import Configuration
package import Products

/// Facts about all providers of one type, stated in their spec for lints.
package struct ProviderTraits: Sendable {
    /// Computes the longest time until a provider answers or fails, from its settings and the longest times of the
    /// providers that it asks.
    package typealias LongestWait = @Sendable (_ settings: ComponentSettings, _ below: [Duration]) -> Duration

    /// Whether it has a catalogue after a restart without asking an upstream.
    let outlivesRestarts: Bool
    let longestWait: LongestWait

    package init(
        outlivesRestarts: Bool = false,
        longestWait: @escaping LongestWait = { _, below in below.max() ?? .zero }
    ) {
        self.outlivesRestarts = outlivesRestarts
        self.longestWait = longestWait
    }
}

/// The facts that the specs of providers state.
extension ComponentOutline {
    /// Whether this is a provider that has a catalogue after a restart.
    package var outlivesRestarts: Bool { traits?.outlivesRestarts ?? false }

    /// Returns the longest time until this provider answers or fails.
    ///
    /// - Parameter below: the longest times of the providers that it asks.
    package func longestWait(_ below: [Duration]) -> Duration {
        traits?.longestWait(settings, below) ?? below.max() ?? .zero
    }

    /// The request headers that its own decisions depend on, without those of the components below.
    package var ownVariations: [RequestVariation] { facts(RequestVariation.self) }

    /// The variations of the component and of everything below it.
    package var variations: [RequestVariation] { all.flatMap(\.ownVariations) }

    private var traits: ProviderTraits? { facts(ProviderTraits.self).first }
}
