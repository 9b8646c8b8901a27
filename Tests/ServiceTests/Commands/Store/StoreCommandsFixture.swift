import Concurrency
import FileSystem
import FoundationEssentials
import Persistence
import Products
import TestSupport

@testable import Service

/// A directory for stores and configs, and what commands about them print.
struct StoreCommandsFixture {
    let directory: TemporaryDirectory
    let printed = Observed("")
    let notes = Observed<[String]>([])
    let clock = ManualWallClock(now: Date(timeIntervalSince1970: 1_769_868_065))

    init() throws {
        directory = try TemporaryDirectory()
    }

    var environment: CommandEnvironment {
        var environment = CommandEnvironment(variables: [:])
        environment.output = { [printed] bytes in printed.update { $0 += String(decoding: bytes, as: UTF8.self) } }
        environment.note = { [notes] line in notes.update { $0.append(line) } }
        return environment
    }

    func config(_ graph: String) throws -> String {
        try Files.create(directory("c.yaml"), Array(graph.utf8))
        return directory("c.yaml")
    }

    /// A graph with one store.
    func oneStore() throws -> String {
        try config(
            """
            stores: { disk: { type: json_file, directory: "\(directory("disk"))" } }
            serve: { type: stored, store: disk }
            """)
    }

    /// A graph with two stores, one of which has no label.
    func twoStores() throws -> String {
        try config(
            """
            stores: { disk: { type: json_file, directory: "\(directory("disk"))" } }
            serve:
              type: fallback
              primary: { type: stored, store: disk }
              secondary: { type: stored, store: { type: json_file, directory: "\(directory("spare"))" } }
            """)
    }

    func save(_ names: [String], in name: String = "disk") async throws {
        let store = JSONFileProductsStore(directory: directory(name), logger: LogRecorder().logger)
        for (index, name) in names.enumerated() {
            let moment = Date(timeIntervalSince1970: 1_769_860_800 + Double(60 * index))
            try await store.save(
                ProductsSnapshot(catalogue: try makeCatalogue([name]), fetchedAt: moment, origin: .network))
        }
    }

    func path(_ number: Int, in name: String = "disk") -> String {
        directory("\(name)/generation-000000000\(number).json")
    }

    func damage(_ number: Int) throws {
        try Files.remove(path(number))
        try Files.create(path(number), Array("{}".utf8))
    }

    func list(_ config: String, store: String? = nil, format: StoreFormat = .text) throws {
        try StoreListCommand(
            configPath: config, store: store, format: format, wallClock: WallClock { [clock] in clock.now },
            environment: environment
        ).run()
    }
}
