package import Concurrency
package import Health
package import Logging
package import Products

/// Saves every success of its upstream, so that it can be served when the upstream is gone.
///
/// No answer fails with its save; the saver reports failures. A fallback's substitute for a failure is no success and is
/// not saved, nor is a catalogue that could not be compared with the stored one: it must not become the newest.
///
/// A catalogue that is pinned below, as for a whole fleet, is saved once, unless it is the newest in the store: a restart
/// while the pin cannot be read serves it, and not what was current before the pin. Its later answers are no news from the
/// source, and stay out of the history.
///
/// While an operator has a catalogue of the store pinned, every request gets it at once. The upstream is asked behind the
/// answer, once at a time, and its successes are saved as usual: they are the history from which the pin is taken off. Its
/// failures are reported, and to a `memory` that serves the pinned catalogue already, they are failures of its refresh.
package final class CachingProductsProviderDecorator: ProductsProvider {
    private let name: String
    private let upstream: any ProductsProvider
    private let saver: any ProductsSaver
    private let pins: (any PinnableProvider)?
    private let behind: UpstreamBehindPin
    /// The revision of the newest catalogue in the store; nil until one is saved or looked for.
    private let newest = Mutex<String?>(nil)

    /// - Parameters:
    ///   - pins: the store of the saver, where a catalogue may be pinned; nil where none can be.
    ///   - wallClock: dates the failures of the upstream behind a pin.
    package init(
        name: String = "caching", upstream: any ProductsProvider, saver: any ProductsSaver,
        pins: (any PinnableProvider)? = nil, wallClock: WallClock = .system, logger: Logger? = nil
    ) {
        (self.name, self.upstream, self.saver) = (name, upstream, saver)
        self.pins = pins
        var logger = logger
        logger?[metadataKey: "node"] = "\(name)"
        behind = UpstreamBehindPin(TroubleBook(wallClock: wallClock, logger: logger))
    }

    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let pinned = await behind.answer(
            to: request, pinned: { await pinnedAnswer(to: request) }, ask: { [self] in try await saveBehind($0) })
        if let pinned { return pinned }
        let answer = try await upstream.products(for: request)
        let isSaved = answer.isPinned ? await savePinned(answer) : await save(answer)
        // The operator may have pinned another one meanwhile.
        if pins?.isPinned == true, let pinned = await pinnedAnswer(to: request) { return pinned }
        guard isSaved else { return answer.adding(.init(node: name, outcome: .skipped)) }
        return answer.passingLease(ofAnyCatalogue: false, while: isUnpinned)
            .adding(TrailStep(node: name, outcome: .saving))
    }

    private func pinnedAnswer(to request: ProductsRequest) async -> ProductsAnswer? {
        await pins?.pinnedAnswer(to: request)?.withoutLease.adding(TrailStep(node: name, outcome: .pinned))
    }

    /// The condition of leases, which would pass over a catalogue that is pinned later.
    private var isUnpinned: ProductsLease.Condition? {
        guard let pins else { return nil }
        return { !pins.isPinned }
    }

    /// - Returns: whether it was handed to the saver.
    private func save(_ answer: ProductsAnswer) async -> Bool {
        guard answer.failure == nil, !answer.isUnchecked, !answer.isPinned else { return false }
        try? await saver.save(answer.snapshot)
        newest.withLock { $0 = answer.snapshot.revision }
        return true
    }

    /// Saves a catalogue that is pinned below, unless it is the newest already.
    private func savePinned(_ answer: ProductsAnswer) async -> Bool {
        guard answer.failure == nil, !answer.isUnchecked else { return false }
        var newest = newest.withLock { $0 }
        if newest == nil, let pins {
            // No step on the way to the answer.
            newest = try? await Explanation.$current.withValue(nil) {
                try await pins.products(for: ProductsRequest()).snapshot.revision
            }
        }
        guard newest != answer.snapshot.revision else {
            self.newest.withLock { $0 = newest }
            return false
        }
        try? await saver.save(answer.snapshot)
        self.newest.withLock { $0 = answer.snapshot.revision }
        return true
    }

    /// Asks the upstream for the history.
    ///
    /// - Returns: the failure for which its answer, if any, is a substitute.
    private func saveBehind(_ request: ProductsRequest) async throws -> ProductsFailure? {
        // The answer is shown to nobody in particular, as that of a refresh.
        let answer = try await MemoryRefresh.$isCurrent.withValue(true) { try await upstream.products(for: request) }
        _ = await save(answer)
        if answer.failure == nil, !answer.isPinned { behind.record(answer.snapshot) }
        return answer.failure ?? answer.hiddenFailure
    }
}

extension CachingProductsProviderDecorator: TroubleReporting {
    /// The failure of the upstream behind a pin, and its word that it is stale.
    package var troubles: [Trouble] { behind.troubles }
}
