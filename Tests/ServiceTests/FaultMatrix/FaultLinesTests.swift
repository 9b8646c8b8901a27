import Configuration
import FileSystem
import FoundationEssentials
import JSON
import Logging
import Products
import TestSupport
import Testing

@testable import Concurrency
@testable import Service

/// The log of graphs whose upstream has a fault, refresh after refresh.
@Suite(.timeLimit(.minutes(2)))
struct FaultLinesTests {
    private static let rounds = 6

    /// A store that the graph writes to and reads from.
    enum Disk: CaseIterable {
        case well
        /// No generation can be read.
        case unreadable
        /// Nothing can be written or read.
        case gone
    }

    /// The lines of a graph whose upstream fails at each of some refreshes.
    private func lines(_ fault: Fault, _ column: FaultColumn, _ disk: Disk) async throws -> [JSONObject] {
        let (recorder, clock, directory) = (LineRecorder(), ManualWallClock(), try TemporaryDirectory())
        let upstream = try FaultyUpstream(trickle: .milliseconds(1))
        defer { upstream.close() }
        let logger = Logger.jsonLines(level: .info) { recorder.record($0) }
        let runtime = try Runtime(threads: 1, logger: logger, wallClock: WallClock { [clock] in clock.now })
        let assembly = Assembly(resources: runtime.resources)
        try await attempt {
            let provider = try make(column, upstream, directory, in: assembly)
            _ = try? await provider.products(for: ProductsRequest())
            await assembly.shutDown()
            try spoil(disk, in: directory.path)
            await upstream.begin(fault)
            let restarted = Assembly(resources: runtime.resources)
            let failing = try make(column, upstream, directory, in: restarted)
            for _ in 0..<Self.rounds {
                clock.advance(by: .seconds(100))
                _ = try? await failing.products(for: ProductsRequest())
                // Longer than the pause after a failure.
                try await Task.sleep(for: .milliseconds(5))
            }
            await restarted.shutDown()
        } finally: {
            await runtime.shutdown()
        }
        return try recorder.recorded.map { try #require(try JSONParser().parse($0).object) }
    }

    private func make(
        _ column: FaultColumn, _ upstream: FaultyUpstream, _ directory: TemporaryDirectory, in assembly: Assembly
    ) throws -> any ProductsProvider {
        let http = """
            { type: http, timeout: 100ms, connect_timeout: 20s, \
            request: { base_url: "http://\(upstream.address)", path: /products } }
            """
        let yaml = try column.yaml(
            FaultColumn.Parts(
                http: http, address: upstream.address, patience: "100ms", deadline: "20s", data: directory.path))
        let document = try ConfigDocument.parse(
            yaml.replacing("hold_off: 1h", with: "hold_off: 1ms"), file: "\(column.name).yaml",
            environment: ["LARDER_UPSTREAM": upstream.address, "LARDER_DATA": directory.path])
        return try LoadedConfiguration.check(document).root.instantiate(in: assembly)
    }

    /// Spoils the generations in a directory, or in the one that they are in.
    private func spoil(_ disk: Disk, in path: String) throws {
        guard disk != .well else { return }
        for name in try Files.list(path) {
            let file = "\(path)/\(name)"
            if name.hasPrefix("generation-") {
                try Files.remove(file)
                try Files.createDirectories(file)
            } else if name == ".lock" {
                guard disk == .gone else { continue }
                try Files.remove(file)
                try Files.createDirectories(file)
            } else if try Files.status(of: file).isDirectory {
                try spoil(disk, in: file)
            }
        }
    }

    @Test(arguments: [FaultColumn.fallback, .memory, .defaultGraph], Fault.allCases)
    func `each line is JSON, and a state is logged once, however many refreshes it lasts`(
        column: FaultColumn, fault: Fault
    ) async throws {
        for disk in Disk.allCases {
            let lines = try await lines(fault, column, disk)
            var counts: [String: Int] = [:]
            for line in lines {
                #expect(line["timestamp"] != nil && line["level"] != nil)
                counts[line["message"]?.string ?? "", default: 0] += 1
            }
            #expect(counts.filter { $0.value > 1 }.isEmpty, "\(disk)")
            #expect(counts.count <= 5, "\(disk): \(counts.keys)")
        }
    }
}
