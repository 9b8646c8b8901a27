import Configuration
import Testing

@testable import Service

@Suite("Background jobs", .timeLimit(.minutes(1)))
struct BackgroundJobsTests {
    private struct Broken: Error {}

    @Test("A job that fails is logged once and the others run on; one that is cancelled is no failure")
    func failing() async throws {
        let log = LogRecorder()
        let (done, finish) = AsyncStream.makeStream(of: Void.self)
        let assembly = Assembly(resources: ComponentResources())
        assembly.background("broken") { throw Broken() }
        assembly.background("cancelled") { throw CancellationError() }
        assembly.background("good") {
            await log.wait(for: "error: a background job failed")
            finish.finish()
        }
        try await BackgroundJobs(jobs: assembly.backgroundJobs, logger: log.logger).run()
        for await _ in done {}
        #expect(log.lines == ["error: a background job failed"])
    }
}
