import Concurrency
import FileSystem
import FoundationEssentials
import Glibc
import Networking
import TestSupport
import Testing

/// `LARDER_RELOADS` sets how often; it is 100 by default.
@Suite(.timeLimit(.minutes(5)))
struct ReloadLoadTests {
    private static let reloads = ProcessInfo.processInfo.environment["LARDER_RELOADS"].flatMap { Int($0) } ?? 100
    private static let clients = 8

    @Test
    func `two configs in turn, and a broken one among them: no request fails, and nothing is left of any graph`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let (shop, shopPort) = try await LarderProcess.upstream(in: directory)
        defer { shop.signal(SIGKILL) }
        let configs = Self.configs("127.0.0.1:\(shopPort)")
        let path = try configs[0].write(in: directory)
        let service = try LarderProcess(["--config", path], in: directory)
        defer { service.signal(SIGKILL) }
        let port = try await service.logged("serving", "port")
        try await Visitor.with { visitor in
            try await eventually { try await visitor.get(port, "/readyz").status == 200 }
            let answers = Answers()
            let figures = try await underLoad(visitor, port, answers) {
                try await reload(service, configs, path, in: directory, answers)
            }
            #expect(answers.failures == [])
            #expect(answers.count > Self.reloads * Self.clients)
            #expect(try await visitor.get(port, "/readyz").status == 200)
            expectLevel(figures)
        }
        service.signal(SIGTERM)
        #expect(await service.exit() == .init(status: 0, signal: nil))
        #expect(service.count(of: "a background job failed") == 0)
        #expect(service.error == "")
    }

    /// Two configs that differ in what is carried over, in what is made anew, and in the rules of the answers.
    private static func configs(_ upstream: String) -> [ProcessSettings] {
        var first = ProcessSettings(upstream: upstream)
        (first.ttl, first.holdOff) = ("50ms", "20ms")
        first.primary = "{ type: reachability, monitor: door, remote: remote, local: local }"
        first.sections = "monitors: { door: { type: tcp, address: \"\(upstream)\", interval: 20ms } }"
        var second = first
        (second.ttl, second.events) = ("70ms", "others.jsonl")
        second.sections = "popular: { sales_over: 7 }\nmonitors: { door: { type: always } }"
        return [first, second]
    }

    /// Reloads so often, and gives what the process took after each.
    private func reload(
        _ service: LarderProcess, _ configs: [ProcessSettings], _ path: String, in directory: TemporaryDirectory,
        _ answers: Answers
    ) async throws -> [ProcessFigures] {
        var figures: [ProcessFigures] = []
        for round in 1...Self.reloads {
            if round.isMultiple(of: 10) { try await refuse(service, path, in: directory) }
            try configs[round % configs.count].replace(path, in: directory)
            service.signal(SIGHUP)
            try await eventually { service.count(of: "reloaded") == round }
            let before = answers.count
            try await eventually { answers.count >= before + Self.clients }
            figures.append(try ProcessFigures(of: service.pid))
        }
        return figures
    }

    private func refuse(_ service: LarderProcess, _ path: String, in directory: TemporaryDirectory) async throws {
        let refusal = "reload refused, the old config stays"
        let before = service.count(of: refusal)
        let broken = directory("broken.yaml")
        try Files.create(broken, Array("serve: { type: memory, upstream: nobody }".utf8))
        try Files.rename(broken, to: path)
        service.signal(SIGHUP)
        try await eventually { service.count(of: refusal) == before + 1 }
    }

    /// Has clients ask one request after the other as long as `body` runs.
    private func underLoad<Result>(
        _ visitor: Visitor, _ port: Int, _ answers: Answers, _ body: () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<Self.clients {
                let target = client.isMultiple(of: 4) ? "/readyz" : "/products"
                group.addTask {
                    while !Task.isCancelled, !answers.isOver {
                        await answers.note { try await visitor.get(port, target) }
                    }
                }
            }
            defer { answers.end() }
            return try await body()
        }
    }

    /// The second half of the reloads took no more than the first.
    private func expectLevel(_ figures: [ProcessFigures]) {
        let (first, second) = (figures.prefix(figures.count / 2), figures.suffix(figures.count / 2))
        func highest(_ part: ArraySlice<ProcessFigures>, _ figure: (ProcessFigures) -> Int) -> Int {
            part.map(figure).max() ?? 0
        }
        // The address sanitizer keeps what was freed for a while.
        if ProcessInfo.processInfo.environment["ASAN_OPTIONS"] == nil {
            #expect(highest(second, \.memory) <= highest(first, \.memory) + 4096)
        }
        #expect(highest(second, \.threads) <= highest(first, \.threads) + 1)
        #expect(highest(second, \.descriptors) <= highest(first, \.descriptors) + 4)
    }
}

/// The outcomes of the requests.
private final class Answers: Sendable {
    private struct State {
        var count = 0
        var failures: [String] = []
        var isOver = false
    }

    private let state = Mutex(State())

    var count: Int { state.withLock(\.count) }
    var failures: [String] { state.withLock(\.failures) }
    var isOver: Bool { state.withLock(\.isOver) }

    func end() {
        state.withLock { $0.isOver = true }
    }

    func note(_ request: () async throws -> HTTPClientResponse) async {
        let failure: String?
        do {
            let answer = try await request()
            failure = answer.status == 200 ? nil : "status \(answer.status): \(answer.text.prefix(200))"
        } catch { failure = "\(error)" }
        state.withLock { state in
            state.count += 1
            if let failure { state.failures.append(failure) }
        }
    }
}
