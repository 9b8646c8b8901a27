import Dispatch
import FileSystem
import Concurrency
import MetricsTestKit
import Products
import Testing
import TestSupport

@testable import Persistence

struct StoreFailureMeterTests {
    private let metrics = TestMetrics()

    private func store(_ directory: String) -> JSONFileProductsStore {
        JSONFileProductsStore(
            directory: directory, logger: LogRecorder().logger,
            metricLabel: "disk", metrics: metrics)
    }

    private var counted: [String: Int64] {
        metrics.counters(label: "larder_store_failures_total").reduce(into: [:]) { counted, counter in
            guard counter.totalValue > 0 else { return }
            counted[counter.dimensions.map { "\($0.0)=\($0.1)" }.joined(separator: " ")] = counter.totalValue
        }
    }

    @Test func `every reason is exposed from the start`() {
        _ = StoreFailureMeter(store: "disk", factory: metrics)
        #expect(metrics.counters(label: "larder_store_failures_total").count == StoreFailureReason.allCases.count)
        #expect(counted == [:])
    }

    @Test(arguments: [
        (28 as Int32, StoreFailureReason.diskFull), (122, .diskFull), (13, .notPermitted), (30, .notPermitted),
        (5, .save),
    ])
    func `a save that fails counts by what the system says`(code: Int32, reason: StoreFailureReason) {
        #expect(StoreFailureReason(saving: FileSystemError(.write, path: "f", code: code)) == reason)
    }

    @Test func `a directory that cannot be made is a save that failed`() async throws {
        let directory = try TemporaryDirectory()
        try Files.replace(directory("file"), with: [], temporary: directory("temporary"))
        let store = store(directory("file/store"))
        await #expect(throws: ProductsFailure.self) { try await store.save(makeSnapshot()) }
        #expect(counted == ["store=disk reason=save": 1])
    }

    @Test func `a damaged generation counts once: it is moved aside`() async throws {
        let directory = try TemporaryDirectory()
        let store = store(directory.path)
        try await store.save(makeSnapshot())
        let name = try #require(try Files.list(directory.path).first { $0.hasPrefix("generation-") })
        try Files.replace(directory(name), with: Array("{".utf8), temporary: directory("temporary"))
        for _ in 0..<3 { #expect(try await store.stored() == nil) }
        #expect(counted == ["store=disk reason=damaged": 1])
        #expect(await count(in: store) == 0)
    }

    @Test func `the generations are counted as they are on the disk, none where there is no directory`() async throws {
        let directory = try TemporaryDirectory()
        let store = store(directory("store"))
        #expect(await count(in: store) == 0)
        for name in ["Mug", "Cup", "Jug", "Pot"] { try await store.save(makeSnapshot(name)) }
        #expect(await count(in: store) == 3)
        #expect(counted == [:])
    }

    /// A machine that has other things to do is no disk that hangs.
    private func count(in store: JSONFileProductsStore) async -> Int {
        var count: Int?
        await yieldUntil {
            count = await store.generationCount()
            return count != nil
        }
        return count ?? -1
    }
}

@Suite(.timeLimit(.minutes(1)))
struct GenerationCounterTests {
    /// A disk that answers when it is told to.
    private final class Disk: Sendable {
        let release = DispatchSemaphore(value: 0)
        private let state = Mutex(0)

        var looks: Int { state.withLock { $0 } }

        func count() -> Int {
            state.withLock { $0 += 1 }
            release.wait()
            return 3
        }
    }

    private let clock = ManualClock()
    private let disk = Disk()

    private func make() -> GenerationCounter {
        GenerationCounter(timeout: .milliseconds(250), clock: clock) { [disk] in disk.count() }
    }

    @Test func `who asks gets what is on the disk`() async {
        disk.release.signal()
        #expect(await make().count() == 3)
    }

    @Test func `while the disk hangs, who asks waits once and then not at all, and nobody looks a second time`() async {
        let counter = make()
        let first = Task { await counter.count() }
        await clock.waitForSleepers()
        await yieldUntil { disk.looks != 0 }
        clock.advance(by: .milliseconds(250))
        #expect(await first.value == nil)
        for _ in 0..<100 { #expect(await counter.count() == nil) }
        #expect(disk.looks == 1)
        disk.release.signal()
        disk.release.signal()
        await yieldUntil { await counter.count() == 3 }
        #expect(disk.looks == 2)
    }

    @Test func `who asks at the same time shares one look`() async {
        let counter = make()
        let askers = (0..<10).map { _ in Task { await counter.count() } }
        await clock.waitForSleepers(10)
        disk.release.signal()
        for asker in askers { #expect(await asker.value == 3) }
        #expect(disk.looks == 1)
    }
}
