import TestSupport
import FileSystem
import Persistence
import Products
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RollbackBesideSavesTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test
    func `Every save and every going back gets a number of its own, in order, and none is lost or torn`() async throws {
        let (log, path) = (LogRecorder(), directory.path)
        let (saves, rollbacks) = (30, 30)
        let store = makeStore(path, keep: 1000, log: log)
        for name in ["first", "second"] { try await store.save(makeSnapshot(name)) }
        let saving = Task {
            for round in 0..<saves { try await store.save(makeSnapshot("save \(round)")) }
        }
        let goingBack = Task {
            let archive = GenerationArchive(directory: path)
            var numbers: [Int] = []
            for round in 0..<rollbacks {
                guard case .written(let number, _, _) = try archive.rollBack(to: 1 + round % 2) else { continue }
                numbers.append(number)
                await Task.yield()
            }
            return numbers
        }
        try await saving.value
        let numbers = try await goingBack.value

        #expect(numbers.count == rollbacks)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
        let contents = try GenerationArchive(directory: path).contents()
        #expect(contents.generations.map(\.number) == (1...saves + rollbacks + 2).reversed())
        #expect(contents.generations.allSatisfy { $0.condition == .good })
        let ofRollbacks = contents.generations.filter { $0.statement?.source == .store }.map(\.number)
        #expect(ofRollbacks.reversed() == numbers)
        #expect(contents.movedAside == [])
        #expect(try Files.list(path).allSatisfy { !$0.hasSuffix(".tmp") })
        #expect(log.seen.isEmpty)
    }

    @Test func `Of a store that prunes while it is looked at, every generation that is told is whole`() async throws {
        let path = directory.path
        let store = makeStore(path, keep: 2)
        for name in ["first", "second"] { try await store.save(makeSnapshot(name)) }
        let saving = Task {
            for round in 0..<40 { try await store.save(makeSnapshot("save \(round)")) }
        }
        let archive = GenerationArchive(directory: path)
        var looks = 0
        repeat {
            let contents = try archive.contents()
            #expect(contents.generations.allSatisfy { $0.condition == .good })
            #expect(try archive.snapshot().products.count == 3)
            looks += 1
            await Task.yield()
        } while try archive.snapshot().revision != makeCatalogue("save 39").revision && !Task.isCancelled
        try await saving.value
        #expect(looks > 0)
    }
}
