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

/// Saves to a store in the background: `save` returns at once, and the store reports failures.
package struct BackgroundSaver: ProductsSaver {
    private let store: any ProductsStore

    package init(_ store: any ProductsStore) {
        self.store = store
    }

    package func save(_ snapshot: ProductsSnapshot) async throws {
        store.saveLater(snapshot)
    }
}
