import Concurrency
import Persistence
import Products

/// The disk of a replica: one snapshot, and the notes that outlast it.
final class FakeDisk: ProductsStore, NoteKeeping {
    private struct State {
        var snapshot: ProductsSnapshot?
        var notes: [String: [UInt8]] = [:]
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
    var isPinned: Bool { false }
    func pinnedAnswer(to request: ProductsRequest) async -> ProductsAnswer? { nil }
    func save(_ snapshot: ProductsSnapshot) async throws {}
    func saveLater(_ snapshot: ProductsSnapshot) {}
    func generationCount() async -> Int? { nil }
    var savingTime: Duration { .zero }

    func note(_ name: String) async throws -> [UInt8] { state.withLock { $0.notes[name] } ?? [] }
    func keep(_ note: [UInt8], as name: String) async throws { state.withLock { $0.notes[name] = note } }
}
