package import Concurrency
package import Products

/// The catalogue that a new one is compared with: the last accepted one, and before that the one in a store.
///
/// Each variant of the requests has a baseline of its own. Catalogues are kept only if rules compare their products,
/// since there may be many idle variants. The quarantine is here as well, because it has the same lifetime and changes
/// with the baseline. The store is read until it or the upstream has provided a catalogue. If the disk does not
/// respond, only the first request waits; later ones go unchecked, and the store is read again behind their answers.
package final class CatalogueBaseline: Sendable {
    /// The revision and the number of products of a catalogue, and the catalogue itself if it is kept.
    struct Size: Sendable {
        let revision: String
        let count: Int
        /// Whether its products have passed the rules; products from a store may not have.
        fileprivate(set) var isChecked: Bool
        /// The catalogue; nil where only its size is needed.
        fileprivate(set) var content: Catalogue?
        /// The counts of its products; nil if they were not needed.
        let profile: CatalogueProfile?
        /// The doubts about bytes that the catalogue took over unread.
        private let doubts: [CatalogueDoubt]
        fileprivate var isDamaged: Bool { doubts.contains(where: \.isConfirmed) }

        init(of catalogue: Catalogue, isChecked: Bool, isKept: Bool = false, profile: CatalogueProfile? = nil) {
            (revision, count, self.isChecked) = (catalogue.revision, catalogue.count, isChecked)
            (content, self.profile, doubts) = (isKept ? catalogue : nil, profile, catalogue.doubts)
        }
    }

    private struct State: Sendable {
        var sizes: [VariantKey.Key: Size] = [:]
        var quarantine = Quarantine()
        /// Whether the store did not answer in time and has not answered since.
        var isSilent = false
        /// Whether the silent store is being read again.
        var isAsking = false
    }

    /// The longest time that the first answer waits for the store.
    private static let timeout = Duration.seconds(2)

    /// The clock of all times in the quarantine; a successor continues it.
    let uptime: Uptime
    private let store: (any ProductsProvider)?
    private let division: VariantKey
    private let keepsContent: Bool
    private let state: Mutex<State>

    /// - Parameters:
    ///   - store: the store with the catalogue from before a restart; its requests must be of one variant.
    ///   - division: divides the requests by the variations of the compared answers.
    ///   - keepsContent: whether rules compare products.
    ///   - uptime: the clock, unless there is a predecessor.
    ///   - previous: the baseline before a reload. It is ignored if it divided the requests differently.
    package init(
        store: (any ProductsProvider)? = nil, division: VariantKey = VariantKey(), keepsContent: Bool = false,
        uptime: Uptime = Uptime(of: ContinuousClock()), following previous: CatalogueBaseline? = nil
    ) {
        self.store = store
        self.division = division
        self.keepsContent = keepsContent
        self.uptime = previous?.uptime ?? uptime
        var state = State()
        if let previous, previous.division.identity == division.identity {
            (state.sizes, state.quarantine) = previous.state.withLock { ($0.sizes, $0.quarantine) }
            // Their products passed the rules from before the reload.
            for key in state.sizes.keys { state.sizes[key]?.isChecked = false }
            if !keepsContent {
                for key in state.sizes.keys { state.sizes[key]?.content = nil }
            } else if store != nil {
                // Drop entries without products, so that the store is read again.
                state.sizes = state.sizes.filter { $0.value.content != nil }
            }
        }
        self.state = Mutex(state)
    }

    /// The variant that a request belongs to.
    func key(of request: ProductsRequest) -> VariantKey.Key { division.key(of: request) }

    /// Reads or changes the quarantine.
    func quarantine<Value: Sendable>(_ body: (inout Quarantine) -> Value) -> Value {
        state.withLock { body(&$0.quarantine) }
    }

    /// Returns the baseline for an answer to the request, nil if there is none yet, and whether the baseline is known.
    func size(for request: ProductsRequest) async -> (size: Size?, isKnown: Bool) {
        let key = division.key(of: request)
        let (accepted, isSilent) = state.withLock { state in
            // Damaged stored products are no baseline.
            if state.sizes[key]?.isDamaged == true { state.sizes[key] = nil }
            return (state.sizes[key], state.isSilent)
        }
        guard accepted == nil, let store else { return (accepted, true) }
        if isSilent {
            askAgain(store, key)
            return (nil, false)
        }
        let end = ContinuousClock.now + Self.timeout
        let isHeard = await ask(store, by: request.deadline.map { min($0, end) } ?? end, key)
        return state.withLock { state in
            let known = state.sizes[key]
            if !isHeard, known == nil { state.isSilent = true }
            return (known, isHeard || known != nil)
        }
    }

    /// Makes the catalogue of an accepted answer the baseline. A substitute for a failure becomes the baseline only if
    /// there is none and it is from a store; a catalogue that is meant for other requests never does.
    ///
    /// - Parameters:
    ///   - isChecked: whether its products have passed the rules.
    ///   - profile: the counts of its products, if they are known.
    /// - Returns: whether it became the baseline.
    func accept(
        _ answer: ProductsAnswer, for request: ProductsRequest, isChecked: Bool, profile: CatalogueProfile? = nil
    ) -> Bool {
        let key = division.key(of: request)
        let isStored = answer.snapshot.origin == .store && answer.standing != .forOthers
        let size = Size(
            of: answer.snapshot.catalogue, isChecked: isChecked, isKept: keepsContent, profile: profile)
        return state.withLock { state in
            guard answer.failure == nil || (isStored && state.sizes[key] == nil) else { return false }
            let old = state.sizes.updateValue(size, forKey: key)
            state.quarantine.pass(key, size.revision, isNew: old?.revision != size.revision)
            return true
        }
    }

    /// Returns the condition that the baseline for requests of this variant has this revision, or that there is none if
    /// it is nil.
    func isStill(_ revision: String?, for request: ProductsRequest) -> ProductsLease.Condition {
        let key = division.key(of: request)
        return { [self] in
            guard revision != nil || store == nil else { return false }
            return state.withLock { $0.sizes[key]?.revision } == revision
        }
    }

    /// Reads the silent store again, unless a read is running.
    private func askAgain(_ store: any ProductsProvider, _ key: VariantKey.Key) {
        let isFirst = state.withLock { state in
            defer { state.isAsking = true }
            return !state.isAsking
        }
        guard isFirst else { return }
        Task.detached { [self] in
            let isHeard = await ask(store, by: nil, key)
            state.withLock { state in
                state.isAsking = false
                if isHeard { state.isSilent = false }
            }
        }
    }

    /// Reads the store. Its catalogue becomes the baseline unless there is one already.
    ///
    /// - Returns: whether the store answered, even if nothing is stored or it cannot be read.
    private func ask(
        _ store: any ProductsProvider, by deadline: ContinuousClock.Instant?, _ key: VariantKey.Key
    ) async -> Bool {
        do {
            let stored = Size(
                of: try await store.products(for: ProductsRequest(deadline: deadline)).snapshot.catalogue,
                isChecked: false, isKept: keepsContent)
            state.withLock { $0.sizes[key] = $0.sizes[key] ?? stored }
            return true
        } catch ProductsFailure.notStored {
            return true
        } catch ProductsFailure.storeFailed(_, let answered) {
            return answered
        } catch {
            return false
        }
    }
}
