import Logging
import ServiceLifecycle
import TestSupport
import Testing

@testable import Configuration
@testable import Service

@Suite(.timeLimit(.minutes(1)))
struct BackgroundJobsTests {
    private struct Broken: Error {}

    private let log = LogRecorder()

    /// A job that logs its beginning and its cancellation.
    private func job(_ owner: String, isTakenOver: Bool = false, startsEarly: Bool = false) -> BackgroundJob {
        BackgroundJob(name: "job of \(owner)", owner: owner, isTakenOver: isTakenOver, startsEarly: startsEarly) {
            [log] in
            log.logger.info("\(owner) runs")
            try? await ManualClock().sleep(for: .seconds(1))
            log.logger.info("\(owner) ends")
        }
    }

    /// Runs the jobs like the service does, while `body` runs.
    private func run(_ jobs: BackgroundJobs, _ body: () async throws -> Void) async throws {
        let group = ServiceGroup(services: [jobs], logger: LogRecorder().logger)
        let running = Task { try await group.run() }
        try await body()
        await group.triggerGracefulShutdown()
        try await running.value
    }

    @Test func `a failing job is logged once and the others run on, a cancelled one is no failure`() async throws {
        let assembly = [
            BackgroundJob(name: "broken", owner: "a", isTakenOver: false) { throw Broken() },
            BackgroundJob(name: "cancelled", owner: "b", isTakenOver: false) { throw CancellationError() },
            job("good"),
        ]
        try await run(BackgroundJobs(jobs: assembly, logger: log.logger)) {
            await log.wait(for: "error: a background job failed")
            await log.wait(for: "info: good runs")
            #expect(log.count(of: "info: good ends") == 0)
        }
        #expect(log.seen.sorted() == ["error: a background job failed", "info: good ends", "info: good runs"])
    }

    @Test func `every job is cancelled and has ended when the service stops`() async throws {
        try await run(BackgroundJobs(jobs: [job("a"), job("b")], logger: log.logger)) {
            await log.wait(for: "info: a runs")
            await log.wait(for: "info: b runs")
        }
        #expect(Set(log.seen.suffix(2)) == ["info: a ends", "info: b ends"])
    }

    @Test func `jobs that start early run before their graph is in force, once, and end where it is refused`()
        async throws
    {
        let jobs = BackgroundJobs(jobs: [job("fleet", startsEarly: true)], logger: log.logger)
        #expect(jobs.begin([job("fleet", startsEarly: true)]) == nil)
        try await run(jobs) {
            await log.wait(for: "info: fleet runs")
            let refused = jobs.begin([job("refused", startsEarly: true), job("later")])
            await log.wait(for: "info: refused runs")
            jobs.cancel(refused)
            await log.wait(for: "info: refused ends")
            let graph = [job("fleet", startsEarly: true), job("later")]
            let begun = jobs.begin(graph)
            await log.wait(for: "info: fleet runs", count: 2)
            #expect(log.count(of: "info: fleet ends") == 0 && log.count(of: "info: later runs") == 0)
            jobs.replace(with: graph, begun: begun)
            await log.wait(for: "info: fleet ends")
            await log.wait(for: "info: later runs")
            // A job is counted until its task has ended, behind its last line.
            try await eventually { jobs.count == 2 }
        }
        #expect(log.count(of: "info: fleet runs") == 2 && log.count(of: "info: fleet ends") == 2)
    }

    @Test func `a new graph keeps the jobs of reused components, ends the others and begins its own`() async throws {
        let jobs = BackgroundJobs(jobs: [job("stays"), job("changes"), job("goes")], logger: log.logger)
        try await run(jobs) {
            for owner in ["stays", "changes", "goes"] { await log.wait(for: "info: \(owner) runs") }
            jobs.replace(with: [job("stays", isTakenOver: true), job("changes"), job("comes")])
            for owner in ["changes", "goes"] { await log.wait(for: "info: \(owner) ends") }
            await log.wait(for: "info: comes runs")
            await log.wait(for: "info: changes runs", count: 2)
            #expect(log.count(of: "info: stays runs") == 1)
            #expect(log.count(of: "info: stays ends") == 0)
            #expect(log.count(of: "info: changes ends") == 1)
        }
        let ends = ["stays": 1, "changes": 2, "goes": 1, "comes": 1]
        for (owner, count) in ends { #expect(log.count(of: "info: \(owner) ends") == count, "\(owner)") }
    }

    @Test func `a job that is slow to end counts until it has ended`() async throws {
        let (wishes, wish) = AsyncStream.makeStream(of: Void.self)
        let slow = BackgroundJob(name: "slow", owner: "slow", isTakenOver: false) { [log] in
            log.logger.info("slow runs")
            await Task.detached { for await _ in wishes { return } }.value
        }
        let jobs = BackgroundJobs(jobs: [slow], logger: log.logger)
        try await run(jobs) {
            await log.wait(for: "info: slow runs")
            jobs.replace(with: [job("next")])
            await log.wait(for: "info: next runs")
            #expect(jobs.count == 2)
            wish.yield()
            try await eventually { jobs.count == 1 }
        }
        #expect(jobs.count == 0)
    }

    @Test func `a job replaced before the service runs never runs`() async throws {
        let jobs = BackgroundJobs(jobs: [job("early")], logger: log.logger)
        jobs.replace(with: [job("late")])
        try await run(jobs) { await log.wait(for: "info: late runs") }
        #expect(log.seen == ["info: late runs", "info: late ends"])
    }
}
