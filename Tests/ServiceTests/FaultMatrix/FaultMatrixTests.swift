@testable import Concurrency
import Configuration
import FoundationEssentials
import Products
import ServingTestSupport
import TestSupport
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(1)))
struct FaultMatrixTests {
    @Test(arguments: FaultColumn.all, Fault.allCases)
    func `answers, upstream requests and trail are as in the table`(column: FaultColumn, fault: Fault) async throws {
        let expected = try #require(column.cells[fault])
        let seen = try await FaultGraph.observe(fault, through: column)
        #expect(seen == expected)
    }
}

/// A graph of a column's config, in front of an upstream that begins to misbehave.
final class FaultGraph {
    /// Longer than freshness and `stale_while_revalidate` together, so that requests wait for the refresh.
    private static let pause = Duration.seconds(100)
    private static let wide = "20s"
    /// Short, so that a column takes seconds, and long enough for the upstream to see the request.
    private static let tight = "400ms"

    private let column: FaultColumn
    private let fault: Fault
    private let upstream: FaultyUpstream
    private let runtime: Runtime
    private let directory: TemporaryDirectory
    private let clock: ManualWallClock
    private var assembly: Assembly
    private var provider: any ProductsProvider

    private init(
        _ column: FaultColumn, _ fault: Fault, _ upstream: FaultyUpstream, _ runtime: Runtime, _ clock: ManualWallClock
    ) throws {
        (self.column, self.fault, self.upstream, self.runtime) = (column, fault, upstream, runtime)
        self.clock = clock
        directory = try TemporaryDirectory()
        assembly = Assembly(resources: runtime.resources)
        provider = ScriptedProvider(.failure(ProductsFailure.notStored))
        try make(address: upstream.address)
    }

    /// The cell of a fault in a column.
    static func observe(_ fault: Fault, through column: FaultColumn) async throws -> Cell {
        let upstream = try FaultyUpstream(trickle: .milliseconds(column.isImpatient ? 250 : 5))
        defer { upstream.close() }
        let clock = ManualWallClock()
        let runtime = try Runtime(
            threads: 1, logger: LogRecorder().logger, wallClock: WallClock { [clock] in clock.now })
        let outcome: Result<Cell, any Error>
        do {
            outcome = .success(try await observe(fault, column, upstream, runtime, clock))
        } catch { outcome = .failure(error) }
        await runtime.shutdown()
        return try outcome.get()
    }

    private static func observe(
        _ fault: Fault, _ column: FaultColumn, _ upstream: FaultyUpstream, _ runtime: Runtime, _ clock: ManualWallClock
    ) async throws -> Cell {
        var graph = try FaultGraph(column, fault, upstream, runtime, clock)
        for _ in 0..<5 where column.keepsAnswers {
            if await graph.isFilled() { break }
            await graph.assembly.shutDown()
            graph = try FaultGraph(column, fault, upstream, runtime, clock)
        }
        let cell = try await graph.observe()
        await graph.assembly.shutDown()
        return cell
    }

    /// Fetches the catalogue of a good day. With the tight limit of a fault that is endless, a busy machine may need
    /// another try.
    private func isFilled() async -> Bool {
        await sight().outcome == "10 mugs from network, 0 s old"
    }

    private func observe() async throws -> Cell {
        await upstream.begin(fault)
        if fault == .dns { try make(address: "shop.invalid:80") }
        clock.advance(by: Self.pause)
        let before = upstream.requests
        var sightings: [Sighting] = []
        for _ in 0..<3 { sightings.append(await sight()) }
        await upstream.settle()
        return Cell(sightings, requests: upstream.requests - before)
    }

    private func sight() async -> Sighting {
        do {
            let answer = try await provider.products(for: ProductsRequest())
            let words = Mugs.description(of: answer.snapshot, age: answer.snapshot.age(at: clock.now))
            return Sighting(outcome: words, trail: answer.trail.map(\.description))
        } catch let failure as ProductsFailure {
            return .failure(failure.token)
        } catch {
            return .failure("\(error)")
        }
    }

    /// Makes the graph, the second time in place of the first like a reload.
    private func make(address: String) throws {
        let patience = fault.isEndless && !column.isImpatient ? Self.tight : Self.wide
        let http = """
            { type: http, timeout: \(patience), connect_timeout: \(Self.wide), \
            request: { base_url: "http://\(address)", path: /products } }
            """
        let yaml = try column.yaml(
            FaultColumn.Parts(
                http: http, address: address, patience: patience,
                deadline: fault.isEndless || fault == .slow ? Self.tight : Self.wide, data: directory.path))
        let environment = ["LARDER_UPSTREAM": address, "LARDER_DATA": directory.path]
        let document = try ConfigDocument.parse(yaml, file: "\(column.name).yaml", environment: environment)
        let next = Assembly(resources: runtime.resources, replacing: assembly)
        provider = try LoadedConfiguration.check(document).root.instantiate(in: next)
        next.forgetPrevious()
        assembly = next
    }
}
