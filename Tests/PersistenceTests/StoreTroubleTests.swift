import Concurrency
import FileSystem
import Health
import Logging
import Products
import Testing
import TestSupport

@testable import Persistence

@Suite struct StoreTroubleTests {
    private let log = LogRecorder()

    @Test func `a trouble is logged when it begins, when its cause changes, and when it ends`() {
        let troubles = StoreTroubles(log.logger)
        for cause in ["disk full", "disk full", "not permitted", "disk full", "not permitted"] {
            troubles.report(.unsaved, cause: cause, ["error": "\(cause)"])
        }
        #expect(troubles.troubles.map(\.cause) == ["not permitted"])
        troubles.report(.slow, cause: nil)
        for _ in 0..<2 { troubles.report(.unsaved, cause: nil) }
        #expect(troubles.troubles.isEmpty)
        let begun = "warning: products are served but cannot be saved"
        #expect(log.seen == [begun, begun, "notice: store recovered"])
        #expect(log.metadata(of: begun).map { $0["error"] } == ["disk full", "not permitted"])
    }

    @Test func `long numbers do not tell causes apart, a status does, and there is a limit`() {
        let troubles = StoreTroubles(log.logger)
        for number in 10_000..<10_099 { troubles.report(.unsaved, cause: "cannot write .\(number).tmp: status 503") }
        #expect(log.seen.count == 1)
        troubles.report(.unsaved, cause: "cannot write .10000.tmp: status 401")
        #expect(log.seen.count == 2)
        for number in 100..<300 { troubles.report(.unsaved, cause: "status \(number)") }
        #expect(log.seen.count == 8)
    }

    @Test func `a store that cannot be read is one line, however often it is asked, and so is its recovery`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let store = makeStore(directory.path, log: log)
        for name in ["one", "two", "three"] { try await store.save(makeSnapshot(name)) }
        let paths = (1...3).map { directory("generation-000000000\($0).json") }
        for path in paths {
            try Files.rename(path, to: "\(path).good")
            try Files.createDirectories(path)
        }
        let restarted = makeStore(directory.path, log: log)
        for _ in 0..<20 { await #expect(throws: ProductsFailure.self) { try await restarted.stored() } }
        #expect(log.seen == ["error: stored generation cannot be loaded, stepping back to an older one"])
        #expect(restarted.troubles.count == 1)
        for path in paths {
            try Files.rename(path, to: "\(path).bad")
            try Files.rename("\(path).good", to: path)
        }
        #expect(try await restarted.stored()?.revision == makeCatalogue("three").revision)
        #expect(log.seen.count == 2 && log.seen.last == "notice: the newest stored generation can be loaded again")
        #expect(restarted.troubles.isEmpty)
    }

    @Test func `a save ends the trouble of a directory that could not be listed`() async throws {
        let directory = try TemporaryDirectory()
        try Files.create(directory("store"), [])
        let store = makeStore(directory("store"), log: log)
        await #expect(throws: ProductsFailure.self) { try await store.stored() }
        #expect(store.troubles.count == 1)
        try Files.remove(directory("store"))
        try await store.save(makeSnapshot("one"))
        #expect(store.troubles.isEmpty)
        #expect(log.seen.last == "notice: the store can be read again")
    }

    @Test func `a directory that cannot be listed is one line, and so is its recovery`() async throws {
        let directory = try TemporaryDirectory()
        try Files.create(directory("store"), [])
        let store = makeStore(directory("store"), log: log)
        for _ in 0..<5 { await #expect(throws: ProductsFailure.self) { try await store.stored() } }
        #expect(log.seen == ["error: the store cannot be read"])
        try Files.remove(directory("store"))
        #expect(try await store.stored() == nil)
        #expect(log.seen.last == "notice: the store can be read again")
    }
}
