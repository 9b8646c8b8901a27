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

    @Test func `beside saves every going back pins what it found, and no generation is lost or torn`() async throws {
        let (log, path) = (LogRecorder(), directory.path)
        let (saves, rollbacks) = (30, 30)
        let store = makeStore(path, keep: 1000, log: log)
        for name in ["first", "second"] { try await store.save(makeSnapshot(name)) }
        let saving = Task {
            for round in 0..<saves { try await store.save(makeSnapshot("save \(round)")) }
        }
        let goingBack = Task {
            let archive = GenerationArchive(directory: path)
            let order = OperatorOrder(at: ManualWallClock().now, by: "root", reason: nil)
            for round in 0..<rollbacks {
                let pin = try archive.pin(.generation(1 + round % 2), by: order).pin
                #expect(archive.pin == pin)
                await Task.yield()
            }
        }
        try await saving.value
        try await goingBack.value

        let contents = try GenerationArchive(directory: path).contents()
        #expect(contents.generations.map(\.number) == (1...saves + 2).reversed())
        #expect(contents.generations.allSatisfy { $0.condition == .good })
        #expect(contents.pin?.generation == 2)
        #expect(contents.movedAside == [])
        #expect(try Files.list(path).allSatisfy { !$0.hasSuffix(".tmp") })
        #expect(log.seen.allSatisfy { $0.contains("pinned") })
    }

    @Test func `of a store that prunes while it is looked at, every generation that is told is whole`() async throws {
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
