internal import Concurrency
package import Products

/// Prepares a catalogue for requests before a `memory` publishes it, while they are answered from the one before.
///
/// It outlives graphs: a `memory` that is taken over after a reload has its catalogues prepared for the edition in force.
package final class CataloguePreparation: Sendable {
    /// - Parameters:
    ///   - answer: the answer with the new catalogue.
    ///   - replaced: the revision that requests get meanwhile; its catalogue may be gone before this is done.
    package typealias Prepare = @Sendable (_ answer: ProductsAnswer, _ replaced: String) async -> Void

    /// The longest time for which a refreshed catalogue is held back.
    static let patience = Duration.seconds(5)

    private let prepare = Mutex<Prepare?>(nil)

    package init() {}

    /// Sets the function that prepares catalogues.
    package func prepare(by prepare: @escaping Prepare) {
        self.prepare.withLock { $0 = prepare }
    }

    /// Prepares the catalogue of an answer, or returns when the time is up. The rest is done behind the publication then.
    func run(
        _ answer: ProductsAnswer, replacing replaced: String, within limit: Duration, clock: any Clock<Duration>
    ) async {
        guard let prepare = prepare.withLock({ $0 }) else { return }
        _ = await firstOutcome(within: limit, clock: clock) { await prepare(answer, replaced) }
    }
}
