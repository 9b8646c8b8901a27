internal import Concurrency
public import Configuration
public import Persistence
public import Products

/// Saves every success of its upstream, so that it can be served when the upstream is gone.
///
/// No answer waits for its save or fails with it: the save follows behind it, and the store reports what becomes of it.
/// A substitute that a fallback below gave for a failure is no success, and does not replace what is stored. What the
/// store holds goes to the upstream as the request's last good snapshot, so that a catalogue that shrank while the
/// service was down is recognised. As long as the store has not answered what it holds, nothing is saved: an answer
/// that could not be compared must not become the newest generation.
public final class CachingProductsProviderDecorator: ProductsProvider {
    /// `type: caching` in the `providers:` section.
    public static let spec = ComponentSpec<ProviderFamily>(
        type: "caching",
        summary: "saves every success to a store; a failing save never fails the answer",
        fields: [
            .required("store", .component(StoreFamily.self), "where successes are saved"),
            .required("upstream", .component(ProviderFamily.self), "the provider that is asked"),
        ],
        example: """
            { type: caching, store: { type: json_file, directory: /var/lib/larder }, \
            upstream: { type: http, request: { base_url: "http://shop.example" } } }
            """,
        plan: { reader in
            let store = reader.component("store", StoreFamily.self)
            let upstream = reader.component("upstream", ProviderFamily.self)
            checkVariations(upstream.outline.variations, reader)
            let name = reader.name
            return { assembly in
                CachingProductsProviderDecorator(
                    name: name, upstream: try upstream.instantiate(in: assembly),
                    store: try store.instantiate(in: assembly))
            }
        })

    /// A store has room for one catalogue, and what is read from it goes to whoever asks.
    private static func checkVariations(_ variations: [RequestVariation], _ reader: FieldReader) {
        guard let header = variations.first?.header else { return }
        reader.report(
            .error, at: "upstream",
            "answers from here vary by the header \"\(header)\", and one store cannot keep them apart; "
                + "put \"caching\" below what decides by it")
    }

    /// The last known good catalogue, and whether the store has been heard.
    private struct Measure: Sendable {
        /// What was accepted last, or else stored.
        var lastGood: ProductsSnapshot?
        /// Whether the store did not answer in time, and has not answered since.
        var isUnheard = false
        /// Whether that was ever so. A provider above may have kept an answer of that time, which is no measure.
        var wasUnheard = false
        /// Whether the store is being asked again.
        var isAsking = false
    }

    /// How long the first answer waits for what the store holds.
    private static let patience = Duration.seconds(2)

    private let name: String
    private let upstream: any ProductsProvider
    private let store: any ProductsStore
    private let measure = Mutex(Measure())

    /// Decorates `upstream`.
    ///
    /// - Parameter name: the node's name on trails.
    public init(name: String = "caching", upstream: any ProductsProvider, store: any ProductsStore) {
        self.name = name
        self.upstream = upstream
        self.store = store
    }

    /// The upstream's answer, which is saved behind it.
    public func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let (question, maySave) = await withLastGood(request)
        let answer = try await upstream.products(for: question)
        guard maySave, answer.failure == nil else { return answer.adding(TrailStep(node: name, outcome: .skipped)) }
        measure.withLock { $0.lastGood = answer.snapshot }
        store.saveLater(answer.snapshot)
        return answer.adding(TrailStep(node: name, outcome: .saving))
    }

    /// The request with the last good snapshot, and whether its answer may be saved.
    ///
    /// The store is asked until it, or the upstream, has given something. A disk that does not answer is no reason not
    /// to ask the upstream, and only the first request waits for it: later ones have it asked behind their answers.
    private func withLastGood(_ request: ProductsRequest) async -> (request: ProductsRequest, maySave: Bool) {
        let (known, isUnheard, wasUnheard) = measure.withLock { ($0.lastGood, $0.isUnheard, $0.wasUnheard) }
        if isUnheard {
            askAgain()
            return (request, false)
        }
        var request = request
        if let known, wasUnheard || request.lastGood == nil { request.lastGood = known }
        guard request.lastGood == nil else { return (request, true) }
        var question = request
        let end = ContinuousClock.now + Self.patience
        question.deadline = request.deadline.map { min($0, end) } ?? end
        let isHeard = await ask(question)
        request.lastGood = measure.withLock { measure in
            if !isHeard, measure.lastGood == nil {
                measure.isUnheard = true
                measure.wasUnheard = true
            }
            return measure.lastGood
        }
        return (request, isHeard || request.lastGood != nil)
    }

    /// Asks the store once more, unless that is under way.
    private func askAgain() {
        let isFirst = measure.withLock { measure in
            defer { measure.isAsking = true }
            return !measure.isAsking
        }
        guard isFirst else { return }
        Task.detached { [self] in
            let isHeard = await ask(ProductsRequest())
            measure.withLock { measure in
                measure.isAsking = false
                if isHeard { measure.isUnheard = false }
            }
        }
    }

    /// Takes over what the store holds, unless more is known.
    ///
    /// - Returns: whether the store answered. That nothing is stored, or that it cannot be read, is an answer.
    private func ask(_ question: ProductsRequest) async -> Bool {
        do {
            let stored = try await store.products(for: question).snapshot
            measure.withLock { $0.lastGood = $0.lastGood ?? stored }
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
