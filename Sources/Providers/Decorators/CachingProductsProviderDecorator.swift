internal import Concurrency
package import Configuration
package import Persistence
package import Products

/// Saves every success of its upstream, so that it can be served when the upstream is gone.
///
/// No answer waits for its save or fails with it: the save follows behind it, and the store reports its outcome. A
/// fallback's substitute for a failure is no success and is not saved. The stored catalogue is the request's last good
/// snapshot for the upstream, so that a catalogue that shrank while the service was down is refused. Nothing is saved
/// until the store has been read: an answer that could not be compared must not become the newest generation.
package final class CachingProductsProviderDecorator: ProductsProvider {
    package static let spec = ComponentSpec<ProviderFamily>(
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

    /// Reports an error if answers vary: a store holds one catalogue, and returns it for any request.
    private static func checkVariations(_ variations: [RequestVariation], _ reader: FieldReader) {
        guard let header = variations.first?.header else { return }
        reader.report(
            .error, at: "upstream",
            "answers from here vary by the header \"\(header)\", and one store cannot keep them apart; "
                + "put \"caching\" below what decides by it")
    }

    /// The last good catalogue, and whether the store has been read.
    private struct Baseline: Sendable {
        /// The last accepted catalogue, or else the stored one.
        var lastGood: ProductsSnapshot?
        /// Whether the store did not answer in time and has not answered since.
        var isUnheard = false
        /// Whether that has ever been so. A provider above may have kept an answer of that time, which is no baseline.
        var wasUnheard = false
        /// Whether the store is being asked again.
        var isAsking = false
    }

    /// The longest time that the first answer waits for the store.
    private static let patience = Duration.seconds(2)

    private let name: String
    private let upstream: any ProductsProvider
    private let store: any ProductsStore
    private let baseline = Mutex(Baseline())

    package init(name: String = "caching", upstream: any ProductsProvider, store: any ProductsStore) {
        self.name = name
        self.upstream = upstream
        self.store = store
    }

    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let (question, maySave) = await withLastGood(request)
        let answer = try await upstream.products(for: question)
        guard maySave, answer.failure == nil else { return answer.adding(TrailStep(node: name, outcome: .skipped)) }
        baseline.withLock { $0.lastGood = answer.snapshot }
        store.saveLater(answer.snapshot)
        return answer.passingLease().adding(TrailStep(node: name, outcome: .saving))
    }

    /// Returns the request with the last good snapshot, and whether its answer may be saved.
    ///
    /// The store is read until it, or the upstream, has given a catalogue. A disk that does not answer does not keep the
    /// upstream from being asked, and only the first request waits for it: later ones read it behind their answers.
    private func withLastGood(_ request: ProductsRequest) async -> (request: ProductsRequest, maySave: Bool) {
        let (known, isUnheard, wasUnheard) = baseline.withLock { ($0.lastGood, $0.isUnheard, $0.wasUnheard) }
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
        request.lastGood = baseline.withLock { baseline in
            if !isHeard, baseline.lastGood == nil {
                baseline.isUnheard = true
                baseline.wasUnheard = true
            }
            return baseline.lastGood
        }
        return (request, isHeard || request.lastGood != nil)
    }

    /// Reads the store once more, unless a read is running.
    private func askAgain() {
        let isFirst = baseline.withLock { baseline in
            defer { baseline.isAsking = true }
            return !baseline.isAsking
        }
        guard isFirst else { return }
        Task.detached { [self] in
            let isHeard = await ask(ProductsRequest())
            baseline.withLock { baseline in
                baseline.isAsking = false
                if isHeard { baseline.isUnheard = false }
            }
        }
    }

    /// Reads the store. Its catalogue becomes the baseline unless there is one already.
    ///
    /// - Returns: whether the store answered, even if nothing is stored or it cannot be read.
    private func ask(_ question: ProductsRequest) async -> Bool {
        do {
            let stored = try await store.products(for: question).snapshot
            baseline.withLock { $0.lastGood = $0.lastGood ?? stored }
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
