import TestSupport
import FileSystem
import Glibc
import JSON
import Testing

@Suite(.timeLimit(.minutes(3)))
struct StoreTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func store(
        _ arguments: [String], _ config: String
    ) async throws -> (status: Int32?, output: String, error: String) {
        try await larder(["store"] + arguments, config)
    }

    private func larder(
        _ arguments: [String], _ config: String
    ) async throws -> (status: Int32?, output: String, error: String) {
        let result = try await LarderProcess.run(arguments + ["--config", config], in: directory)
        return (result.status, String(decoding: result.output, as: UTF8.self), result.error)
    }

    private func shown(_ generation: Int, _ config: String) async throws -> Int {
        let result = try await store(["show", "\(generation)"], config)
        #expect(result.status == 0)
        return try RevisionShop.revision(of: try JSONParser().parse(Array(result.output.utf8)).array)
    }

    private func served(_ port: Int) async throws -> Int {
        var served = 0
        try await Visitor.with { visitor in
            served = try RevisionShop.revision(of: try await visitor.get(port, "/products").json?["products"]?.array)
        }
        return served
    }

    /// Fills the store with so many revisions.
    private func fill(_ count: Int, _ config: String, _ shop: RevisionShop) async throws {
        shop.turn(on: true)
        for _ in 0..<count { _ = try await LarderProcess.run(["fetch", "--config", config], in: directory) }
        shop.turn(on: false)
    }

    @Test
    func `a pin offline is served from the next refresh on, over SIGHUP and restarts, whatever the upstream gives`()
        async throws
    {
        try await RevisionShop.with { shop, settings in
            let config = try settings.write(in: directory)
            try await fill(3, config, shop)
            let (oldest, newest) = (try await shown(1, config), try await shown(3, config))
            #expect(oldest < newest)
            let service = try LarderProcess(["serve", "--config", config], in: directory)
            defer { service.signal(SIGKILL) }
            let port = try await service.logged("serving", "port")
            #expect(try await served(port) == newest)

            let pin = try await larder(["pin", "--offline", "--generation", "1"], config)
            #expect(pin.status == 0 && pin.output.contains(": generation 1 (revision "))
            #expect(pin.error.hasPrefix("A running service follows at its next refresh"))
            try await eventually { try await served(port) == oldest }
            service.signal(SIGHUP)
            try await eventually { service.count(of: "reloaded") == 1 }
            #expect(try await served(port) == oldest)
            service.signal(SIGTERM)
            #expect(await service.exit() == .init(status: 0, signal: nil))

            shop.turn(on: true)
            let successor = try LarderProcess(["serve", "--config", config], in: directory)
            defer { successor.signal(SIGKILL) }
            let newPort = try await successor.logged("serving", "port")
            try await eventually { try await served(newPort) == oldest }
            try await eventually {
                let served = try await served(newPort)
                #expect(served == oldest)
                return shop.revision >= newest + 3
            }
        }
    }

    @Test
    func `beside a service that saves all the time each going back goes further, and no generation is lost or torn`()
        async throws
    {
        try await RevisionShop.with { shop, settings in
            var settings = settings
            settings.keep = 1000
            let config = try settings.write(in: directory)
            try await fill(9, config, shop)
            shop.turn(on: true)
            let service = try LarderProcess(["serve", "--config", config], in: directory)
            defer { service.signal(SIGKILL) }
            let port = try await service.logged("serving", "port")
            var numbers: [Int] = []
            try await Visitor.with { visitor in
                await withTaskGroup { group in
                    group.addTask {
                        while !Task.isCancelled, (try? await visitor.get(port, "/products")) != nil {}
                    }
                    for _ in 0..<8 { if let number = await rolledBack(config) { numbers.append(number) } }
                    group.cancelAll()
                }
            }
            service.signal(SIGTERM)
            #expect(await service.exit() == .init(status: 0, signal: nil))
            #expect(numbers.count == 8)
            #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 > $1 })
            let list = try await store(["list", "--format", "json"], config)
            let contents = try JSONParser().parse(Array(list.output.utf8)).array?.first?.object
            let generations = try #require(contents?["generations"]?.array).map(\.object)
            let all = generations.compactMap { $0?["generation"]?.number?.integer }
            #expect(all == (1...(all.first ?? 1)).reversed())
            #expect(all.count > 9)
            #expect(generations.allSatisfy { $0?["state"] == "ok" })
            #expect(contents?["pinned"]?.number?.integer == numbers.last)
            #expect(contents?["moved_aside"] == .array([]))
        }
    }

    /// The number of the generation that going back has pinned.
    private func rolledBack(_ config: String) async -> Int? {
        guard let result = try? await larder(["pin", "--offline"], config), result.status == 0 else { return nil }
        let words = result.output.split(separator: " ")
        return words.firstIndex(of: "generation").flatMap { Int(words[$0 + 1]) }
    }
}
