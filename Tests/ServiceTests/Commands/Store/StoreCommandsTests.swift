import Concurrency
import FileSystem
import FoundationEssentials
import JSON
import Persistence
import Products
import TestSupport
import Testing

@testable import Service

@Suite("The store commands")
struct StoreCommandsTests {
    private let fixture: StoreCommandsFixture

    init() throws {
        fixture = try StoreCommandsFixture()
    }

    @Test("A list is a table, newest first, and below it what was moved aside")
    func table() async throws {
        try await fixture.save(["Mug", "Cup"])
        try fixture.damage(2)
        try Files.create(fixture.directory("disk/generation-0000000009.json.corrupt"), [])
        try fixture.list(try fixture.oneStore())
        let size = try Files.status(of: fixture.path(1)).size
        #expect(
            fixture.printed.value == """
                disk: \(fixture.directory("disk"))
                GENERATION  FETCHED                  AGE  PRODUCTS  BYTES  SOURCE   STATE
                         2  -                          -         -      2  -        damaged: the format is missing
                         1  2026-01-31T12:00:00Z  2h1m5s         1    \(size)  network  ok
                \(fixture.directory("disk"))/generation-0000000009.json.corrupt: moved aside because it was damaged

                """)
    }

    @Test("All stores of the graph are listed, by the names that metrics have for them; empty ones too")
    func allStores() async throws {
        try await fixture.save(["Mug"], in: "spare")
        try fixture.list(try fixture.twoStores())
        #expect(
            fixture.printed.value.hasPrefix(
                "disk: \(fixture.directory("disk"))\nno generations\n\nserve.secondary.store: "))
        #expect(!Files.exists(fixture.directory("disk")))
    }

    @Test("For scripts the list is JSON")
    func json() async throws {
        try await fixture.save(["Mug", "Cup"])
        try fixture.damage(2)
        try fixture.list(try fixture.twoStores(), store: "disk", format: .json)
        let stores = try JSONParser().parse(Array(fixture.printed.value.utf8)).array
        let store = try #require(stores?.first?.object)
        #expect(stores?.count == 1)
        #expect(store["store"] == "disk")
        #expect(store["directory"] == .string(fixture.directory("disk")))
        #expect(store["moved_aside"] == .array([]))
        let size = try Files.status(of: fixture.path(1)).size
        let digest = try makeCatalogue(["Mug"]).digest
        let damaged: JSONObject = [
            "generation": 2, "path": .string(fixture.path(2)), "bytes": 2, "state": "damaged",
            "fault": "damaged: the format is missing",
        ]
        let good: JSONObject = [
            "generation": 1, "path": .string(fixture.path(1)), "bytes": .number(JSONNumber(size)), "state": "ok",
            "fetched_at": "2026-01-31T12:00:00Z", "age_seconds": 7265, "products": 1, "source": "network",
            "sha256": .string(digest),
        ]
        #expect(store["generations"] == .array([.object(damaged), .object(good)]))
    }

    @Test("An age is never negative")
    func clockSetBack() async throws {
        try await fixture.save(["Mug"])
        fixture.clock.now = Date(timeIntervalSince1970: 1_700_000_000)
        try fixture.list(try fixture.oneStore())
        #expect(fixture.printed.value.contains("2026-01-31T12:00:00Z   0s "))
    }

    @Test("To verify is to tell of each generation, and to fail when one is damaged; the damaged one stays")
    func verify() async throws {
        try await fixture.save(["Mug", "Cup", "Jug"])
        let command = StoreVerifyCommand(
            configPath: try fixture.oneStore(), store: nil, environment: fixture.environment)
        try command.run()
        #expect(fixture.printed.value == [3, 2, 1].map { "\(fixture.path($0)): ok\n" }.joined())
        try fixture.damage(2)
        fixture.printed.update { $0 = "" }
        let failure = #expect(throws: CommandFailure.self) { try command.run() }
        #expect(failure?.description == "larder: store \"disk\": 1 of 3 generations cannot be used")
        #expect(
            fixture.printed.value
                == "\(fixture.path(3)): ok\n\(fixture.path(2)): damaged: the format is missing\n\(fixture.path(1)): ok\n"
        )
        #expect(Files.exists(fixture.path(2)))
    }

    @Test("What a newer version wrote is told, and is no damage")
    func newer() async throws {
        try await fixture.save(["Mug"])
        try Files.create(fixture.path(2), Array(#"{"format":2,"products":[]}"#.utf8))
        try StoreVerifyCommand(configPath: try fixture.oneStore(), store: nil, environment: fixture.environment).run()
        #expect(
            fixture.printed.value.hasPrefix("\(fixture.path(2)): written in format 2, newer than 1, the newest known\n")
        )
    }

    @Test("To show is to print the products as they were stored", arguments: [(nil, "Cup"), (1, "Mug"), (2, "Cup")])
    func show(generation: Int?, name: String) async throws {
        try await fixture.save(["Mug", "Cup"])
        try StoreShowCommand(
            configPath: try fixture.oneStore(), store: nil, generation: generation, environment: fixture.environment
        ).run()
        #expect(fixture.printed.value == String(decoding: try makeCatalogue([name]).encoded, as: UTF8.self) + "\n")
    }

    @Test("After going back it says what was done, and what comes of it")
    func rollback() async throws {
        try await fixture.save(["Mug", "Cup"])
        let command = StoreRollbackCommand(
            configPath: try fixture.oneStore(), store: "disk", generation: 1, environment: fixture.environment)
        try command.run()
        #expect(
            fixture.printed.value == "\(fixture.directory("disk")): generation 3 has the products of generation 1 now "
                + "(1 product, fetched 2026-01-31T12:00:00Z)\n")
        #expect(fixture.notes.value == [StoreRollbackCommand.consequence])
        fixture.printed.update { $0 = "" }
        try command.run()
        #expect(
            fixture.printed.value == "\(fixture.directory("disk")): generation 3, the newest that can be used, "
                + "has these products already; nothing was written\n")
        #expect(fixture.notes.value.count == 1)
    }

    @Test("Going back to what is too old to be served is done, and warned of")
    func rollbackTooFar() async throws {
        try await fixture.save(["Mug", "Cup"])
        let config = try fixture.config(
            """
            stores: { disk: { type: json_file, directory: "\(fixture.directory("disk"))" } }
            providers:
              shelf: { type: memory, ttl: 30s, stale_if_error: 1h, upstream: { type: stored, store: disk } }
            serve: shelf
            """)
        try StoreRollbackCommand(
            configPath: config, store: nil, generation: nil, wallClock: WallClock { [fixture] in fixture.clock.now },
            environment: fixture.environment
        ).run()
        #expect(
            fixture.notes.value == [
                StoreRollbackCommand.consequence,
                "warning: the products of generation 3 are 2h1m5s old, and \"shelf\" serves none that are older than "
                    + "1h30s",
            ])
    }

    @Test("To verify a directory that is not there fails; one without generations is fine, and said to have none")
    func verifyNothing() throws {
        let command = StoreVerifyCommand(
            configPath: try fixture.oneStore(), store: nil, environment: fixture.environment)
        let failure = #expect(throws: CommandFailure.self) { try command.run() }
        #expect(failure?.description == "larder: store \"disk\": there is no directory \(fixture.directory("disk"))")
        try Files.createDirectories(fixture.directory("disk"))
        fixture.printed.update { $0 = "" }
        try command.run()
        #expect(fixture.printed.value == "\(fixture.directory("disk")): no generations\n")
    }

    @Test("A command whose output cannot be written fails")
    func unwritable() throws {
        var environment = fixture.environment
        environment.output = { _ in throw FileSystemError(.write, path: "standard output", code: 28) }
        let config = try fixture.oneStore()
        #expect(throws: FileSystemError.self) {
            try StoreListCommand(configPath: config, store: nil, environment: environment).run()
        }
        #expect(throws: FileSystemError.self) {
            try CheckCommand(configPath: config, environment: environment).run()
        }
    }

    @Test("Where there are several stores, one must be chosen, and be there")
    func selection() async throws {
        let config = try fixture.twoStores()
        let unchosen = #expect(throws: CommandFailure.self) {
            try StoreShowCommand(configPath: config, store: nil, generation: nil, environment: fixture.environment)
                .run()
        }
        #expect(
            unchosen?.description
                == "larder: the graph has several stores; choose one with --store: disk, serve.secondary.store")
        let unknown = #expect(throws: CommandFailure.self) { try fixture.list(config, store: "disc") }
        #expect(
            unknown?.description
                == "larder: no store of the graph is called \"disc\"; there is disk, serve.secondary.store")
        let empty = #expect(throws: CommandFailure.self) {
            try StoreRollbackCommand(
                configPath: config, store: "disk", generation: nil, environment: fixture.environment
            ).run()
        }
        #expect(empty?.description == "larder: there is no generation in \(fixture.directory("disk"))")
        #expect(!Files.exists(fixture.directory("disk")))
    }

    @Test("A graph without a store is told where it is")
    func noStore() throws {
        let config = try fixture.config("serve: { type: http, request: { base_url: \"http://shop.example\" } }")
        let failure = #expect(throws: CommandFailure.self) { try fixture.list(config) }
        #expect(failure?.description == "\(config):1:8: error: the graph that is served has no store")
    }
}
