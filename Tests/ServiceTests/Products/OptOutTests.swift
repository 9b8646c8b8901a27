import FileSystem
import JSON
import Networking
import Service
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct OptOutTests {
    private let directory: TemporaryDirectory
    private static let kept = "kept: { type: memory, upstream: rest }"

    init() throws { directory = try TemporaryDirectory() }

    private func makeService(_ providers: String) throws -> InMemoryService {
        let sink = "analytics: { events: { type: file, path: \"\(directory("events.jsonl"))\" } }"
        return try InMemoryService(providers, sections: sink)
    }

    /// Closes the service's sink, and reads the events in its file.
    private func events(of service: InMemoryService) async throws -> [JSONObject] {
        await service.graph.close()
        guard Files.exists(directory("events.jsonl")) else { return [] }
        return try Files.read(directory("events.jsonl")).split(separator: UInt8(ascii: "\n")).compactMap { line in
            try JSONParser().parse(Array(line)).object
        }
    }

    @Test(arguments: [["Sec-GPC": "1"], ["DNT": "1"], ["DNT": "1", "Sec-GPC": "0"]])
    func `a caller who opts out is not counted, and the next one is`(wish: [String: String]) async throws {
        let graph = "\(Self.kept)\ntop: { type: analytics, sink: events, event: shown, upstream: kept }"
        let service = try makeService(graph)
        for headers in [[:], wish, wish, ["DNT": "0"], wish] {
            #expect(try await service.name(headers) == "Rest")
        }
        #expect(try await events(of: service).count { $0["event"] == "shown" } == 2)
    }

    @Test func `an explained request is not counted`() async throws {
        let graph = """
            \(Self.kept)
            shown: { type: analytics, sink: events, event: shown, upstream: kept }
            top: { type: ab_test, experiment: banner, subject: X-User, sink: events, a: shown, b: gold }
            """
        let service = try makeService(graph)
        for user in ["u3", "u1"] {
            #expect(
                try await service.get("/products?explain=1", headers: [HTTPHeader("X-User", user)], admin: true).json?[
                    "outcome"] == "answered")
        }
        #expect(try await events(of: service).map { $0["event"] } == [])
    }

    /// In the experiment `banner`, `u3` is of arm a and `u1` of arm b.
    @Test func `each subject is exposed once unless opted out, and keeps its arm`() async throws {
        let graph = """
            \(Self.kept)
            top: { type: ab_test, experiment: banner, subject: X-User, sink: events, a: kept, b: gold }
            """
        let service = try makeService(graph)
        for _ in 0..<3 {
            #expect(try await service.name(["X-User": "u3"]) == "Rest")
            #expect(try await service.name(["X-User": "u1", "DNT": "1"]) == "Gold")
            #expect(try await service.name() == "Rest")
        }
        #expect(try await service.name(["X-User": "u1"]) == "Gold")
        let events = try await events(of: service)
        #expect(events.map { $0["event"] } == ["experiment_exposure", "experiment_exposure"])
        #expect(events.map { $0["parameters"]?.object?["arm"] } == ["a", "b"])
        #expect(!events.contains { "\($0)".contains("u1") || "\($0)".contains("u3") })
    }
}
