import TestSupport
import FileSystem
import FoundationEssentials
import Glibc
import Networking
import JSON
import Testing

/// `LARDER_KILL_ROUNDS` sets how often; the default keeps the suite short.
@Suite(.timeLimit(.minutes(20)))
struct KillTests {
    private static let rounds = ProcessInfo.processInfo.environment["LARDER_KILL_ROUNDS"].flatMap { Int($0) } ?? 20

    @Test
    func `after it the service starts with the upstream off and serves the last committed generation, whole`()
        async throws
    {
        let directory = try TemporaryDirectory()
        try await RevisionShop.with { shop, settings in
            let config = try settings.write(in: directory)
            var committed = 0
            for round in 0..<Self.rounds {
                committed = try await killOnce(round, config, shop, after: committed, in: directory)
            }
        }
    }

    /// Starts with the upstream off, looks at what is served, switches the upstream on, and kills at some moment.
    /// Clients may have newer products than the store: no answer waits for its save.
    /// - Parameter earlier: what was committed when it started the last time.
    /// - Returns: what was committed when it started.
    private func killOnce(
        _ round: Int, _ config: String, _ shop: RevisionShop, after earlier: Int, in directory: TemporaryDirectory
    ) async throws -> Int {
        shop.turn(on: false)
        let service = try LarderProcess(["serve", "--config", config], in: directory)
        defer { service.signal(SIGKILL) }
        let port = try await service.logged("serving", "port")
        var found = earlier
        try await Visitor.with { visitor in
            if round > 0 {
                let served = try revision(of: try await visitor.get(port, "/products").body)
                found = try committed(in: directory)
                #expect(served == found)
                #expect(found >= earlier)
            }
            shop.turn(on: true)
            let wanted = shop.revision + Int.random(in: 2...8)
            await withTaskGroup { group in
                group.addTask {
                    while let answer = try? await visitor.get(port, "/products") {
                        guard answer.status == 200 else { continue }
                        #expect(throws: Never.self) { try revision(of: answer.body) }
                    }
                }
                await shop.wait(for: wanted)
                await yieldUntil { hasCommitted(in: directory) }
                await moment(round, in: directory)
                service.signal(SIGKILL)
                _ = await service.exit()
            }
        }
        #expect(await service.exit() == .init(status: nil, signal: SIGKILL))
        #expect(!service.output.contains("damaged"))
        return found
    }

    /// Any moment of a refresh, or the very moment at which a file comes or goes in the store, in turn.
    private func moment(_ round: Int, in directory: TemporaryDirectory) async {
        if round.isMultiple(of: 2) {
            usleep(UInt32.random(in: 0...8000))
        } else {
            let before = try? Files.list(directory("store"))
            let end = ContinuousClock.now + .seconds(5)
            while (try? Files.list(directory("store"))) == before, ContinuousClock.now < end { await Task.yield() }
            usleep(UInt32.random(in: 0...400))
        }
    }

    private func hasCommitted(in directory: TemporaryDirectory) -> Bool {
        (try? Files.list(directory("store")))?.contains { $0.hasPrefix("generation-") } == true
    }

    /// The revision in the newest generation of the store, of which every file must be whole.
    private func committed(in directory: TemporaryDirectory) throws -> Int {
        let names = try Files.list(directory("store"))
        #expect(names.filter { $0.hasSuffix(".corrupt") } == [])
        let generations = names.filter { $0.hasPrefix("generation-") }
        var newest = 0
        for name in generations { newest = try revision(of: try Files.read(directory("store/\(name)"))) }
        return newest
    }

    /// The one revision of all products in a document.
    private func revision(of document: [UInt8]) throws -> Int {
        let products = try #require(try JSONParser().parse(document).object?["products"]?.array)
        let revision = try RevisionShop.revision(of: products)
        #expect(products.count == RevisionShop.count(of: revision))
        return revision
    }
}

extension [UInt8] {
    fileprivate func contains(_ text: String) -> Bool { firstRange(of: Array(text.utf8)) != nil }
}
