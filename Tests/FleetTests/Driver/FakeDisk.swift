import Concurrency
import Persistence
import Products

/// The disk of a replica: one snapshot, and the notes that outlast it.
final class FakeDisk: ProductsStore, NoteKeeping {
    private struct State {
        var snapshot: ProductsSnapshot?
        var notes: [String: [UInt8]] = [:]
        var isFull = false
    }

    private let state: Mutex<State>

    init(_ snapshot: ProductsSnapshot? = nil) { state = Mutex(State(snapshot: snapshot)) }

    var snapshot: ProductsSnapshot? {
        get { state.withLock(\.snapshot) }
        set { state.withLock { $0.snapshot = newValue } }
    }
    func text(_ name: String) -> String { String(decoding: state.withLock { $0.notes[name] } ?? [], as: UTF8.self) }

    func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        guard let snapshot else { throw ProductsFailure.notStored }
        return ProductsAnswer(snapshot: snapshot)
    }
    var changes: AsyncStream<Void> { AsyncStream { $0.finish() } }
    func pinned() async -> ProductsAnswer? { nil }
    func hasNewer(than mark: CatalogueMark) -> Bool { false }
    func save(_ snapshot: ProductsSnapshot) async throws {}
    func saveLater(_ snapshot: ProductsSnapshot) {}
    func generationCount() async -> Int? { nil }
    var savingTime: Duration { .zero }

    /// Whether no note can be written.
    var isFull: Bool {
        get { state.withLock(\.isFull) }
        set { state.withLock { $0.isFull = newValue } }
    }

    func note(_ name: String, limit: Int) async throws -> [UInt8] {
        let note = state.withLock { $0.notes[name] } ?? []
        return note.count > limit ? [] : note
    }
    func keep(_ note: [UInt8], as name: String) async throws {
        let isFull = state.withLock { state in
            if !state.isFull { state.notes[name] = note }
            return state.isFull
        }
        if isFull { throw ProductsFailure.storeFailed(detail: "the disk is full") }
    }
}
