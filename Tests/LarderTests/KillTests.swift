import TestSupport
import FileSystem
import FoundationEssentials
import Glibc
import Networking
import JSON
import Locks
import Testing

/// `LARDER_KILL_ROUNDS` sets how often; the default keeps the suite short.
@Suite("kill -9 in a refresh loop", .timeLimit(.minutes(20)))
struct KillTests {
    private static let rounds = ProcessInfo.processInfo.environment["LARDER_KILL_ROUNDS"].flatMap { Int($0) } ?? 20

    @Test("After it the service starts with the upstream off and serves the last committed generation, whole")
    func killed() async throws {
        let directory = try TemporaryDirectory()
        let shop = try await RevisionShop()
        let outcome: Result<Void, any Error>
        do {
            var settings = ProcessSettings(upstream: "127.0.0.1:\(shop.port)")
            (settings.ttl, settings.staleWhileRevalidate, settings.holdOff) = ("1ms", "0s", "1ms")
            let config = try settings.write(in: directory)
            var seen = 0
            for round in 0..<Self.rounds {
                seen = try await killOnce(round, config, shop, seen: seen, in: directory)
            }
            outcome = .success(())
        } catch { outcome = .failure(error) }
        await shop.close()
        try outcome.get()
    }

    /// Starts with the upstream off, looks at what is served, switches the upstream on, and kills at some moment.
    /// - Returns: the newest revision that a client was given.
    private func killOnce(
        _ round: Int, _ config: String, _ shop: RevisionShop, seen: Int, in directory: TemporaryDirectory
    ) async throws -> Int {
        shop.turn(on: false)
        let service = try LarderProcess(["serve", "--config", config], in: directory)
        defer { service.signal(SIGKILL) }
        let port = try await service.logged("serving", "port")
        let newest = Newest(seen)
        try await Visitor.with { visitor in
            if round > 0 {
                let served = try revision(of: try await visitor.get(port, "/products").body)
                let committed = try committed(in: directory)
                #expect(served == committed)
                #expect(served >= seen)
            }
            shop.turn(on: true)
            let wanted = shop.revision + Int.random(in: 2...8)
            await withTaskGroup { group in
                group.addTask {
                    while let answer = try? await visitor.get(port, "/products") {
                        guard answer.status == 200, let given = try? revision(of: answer.body) else { continue }
                        newest.note(given)
                    }
                }
                await shop.wait(for: wanted)
                await moment(round, in: directory)
                service.signal(SIGKILL)
                _ = await service.exit()
            }
        }
        #expect(await service.exit() == .init(status: nil, signal: SIGKILL))
        #expect(!service.output.contains("damaged"))
        return newest.revision
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
        let names = Set(products.map { $0.object?["name"]?.string })
        let name = try #require(names.count == 1 ? names.first ?? nil : nil)
        let revision = try #require(Int(name.dropFirst(4)))
        #expect(products.count == RevisionShop.count(of: revision))
        return revision
    }
}

/// The newest revision that a client was given.
private final class Newest: Sendable {
    private let newest: Mutex<Int>

    init(_ revision: Int) {
        newest = Mutex(revision)
    }

    var revision: Int { newest.withLock { $0 } }

    func note(_ revision: Int) {
        newest.withLock { $0 = max($0, revision) }
    }
}

extension [UInt8] {
    fileprivate func contains(_ text: String) -> Bool { firstRange(of: Array(text.utf8)) != nil }
}
