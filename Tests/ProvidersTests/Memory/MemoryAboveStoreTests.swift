internal import ProvidersTestSupport
import Concurrency
import FileSystem
import Persistence
import Products
import TestSupport
import Testing

@testable import Providers

/// A `memory` above a store: what the disk has never takes the place of what is newer.
@Suite(.timeLimit(.minutes(1)))
struct MemoryAboveStoreTests {
    private let upstream = ScriptedProvider()
    private let wall = ManualWallClock()
    private let clock = ManualClock()
    private let log = LogRecorder()
    private let directory: TemporaryDirectory
    private let isFull = Shared(false)

    init() throws { directory = try TemporaryDirectory() }

    private func store() -> JSONFileProductsStore {
        var disk = StoreDisk.system
        disk.create = { [isFull] name, parts throws(FileSystemError) in
            if isFull.withLock({ $0 }) { throw FileSystemError(.write, path: name, code: 28) }
            try Files.create(name, parts: parts)
        }
        return JSONFileProductsStore(
            directory: directory.path, logger: LogRecorder().logger, timeout: .seconds(30), wallClock: wall.wallClock,
            disk: disk)
    }

    private func memory(_ store: JSONFileProductsStore) -> MemoryProductsProviderDecorator {
        let caching = CachingProductsProviderDecorator(upstream: upstream, saver: store)
        let policy = FreshnessPolicy(
            ttl: .seconds(30), staleWhileRevalidate: .seconds(60), staleIfError: .seconds(86_400))
        return MemoryProductsProviderDecorator(
            upstream: FallbackProductsProviderStrategy(primary: caching, secondary: store), policy: policy,
            wallClock: wall.wallClock, clock: clock, logger: log.logger)
    }

    private func pass(_ seconds: Int) {
        clock.advance(by: .seconds(seconds))
        wall.advance(by: .seconds(seconds))
    }

    /// The upstream's catalogue when the clock has been set back can be saved no more; then the upstream is away.
    @Test(arguments: [40, 3_700])
    func `a clock set back, a full disk and an upstream that is away bring no older catalogue back`(later: Int)
        async throws
    {
        let store = store()
        let memory = memory(store)
        upstream.works(makeCatalogue("Mug"), wall)
        _ = try await memory.ask()
        try await eventually { await store.generationCount() == 1 }
        wall.advance(by: .seconds(-3_600))
        isFull.withLock { $0 = true }
        pass(31)
        upstream.works(makeCatalogue("Cup"), wall)
        try await eventually { try await memory.ask().told.hasPrefix("Cup") }
        #expect(await store.generationCount() == 1)
        upstream.fails(MemoryFixture.refused)
        pass(later)
        for refreshes in 3...6 {
            let told = try await memory.ask().told
            #expect(told.hasPrefix("Cup"))
            await log.wait(lines: refreshes)
            pass(120)
        }
        #expect(try await memory.ask().told.hasPrefix("Cup"))
    }
}
