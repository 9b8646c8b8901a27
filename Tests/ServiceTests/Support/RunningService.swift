import Concurrency
import Configuration
import EventLoop
import HTTPServer
import Logging
import Networking
import Products
import ServiceLifecycle
import TestSupport

@testable import Service

/// The service on ports of its own, run as `larder serve` runs it, and stopped without a signal.
struct RunningService {
    let application: Application
    private let config: Shared<String>
    private let request: AsyncStream<Void>.Continuation
    private let runtime: Runtime
    private let group: ServiceGroup
    private let running: Task<Void, any Error>

    init(_ settings: ServiceSettings, clock: ManualWallClock, log: LogRecorder) async throws {
        try await self.init(yaml: settings.yaml, clock: clock, log: log)
    }

    init(yaml: String, clock: ManualWallClock, log: LogRecorder) async throws {
        let runtime = try Runtime(threads: 1, logger: log.logger, wallClock: WallClock { [clock] in clock.now })
        self.runtime = runtime
        let config = Shared(yaml)
        self.config = config
        let requests: AsyncStream<Void>
        (requests, request) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        do {
            let source = ReloadSource(requests: requests) { () throws(ConfigurationError) in
                try ServiceSettings.loaded(config.withLock { $0 })
            }
            application = try await Application(
                try ServiceSettings.loaded(yaml), runtime: runtime, reloadingFrom: source)
        } catch {
            await runtime.shutdown()
            throw error
        }
        let group = ServiceGroup(services: [Whole(application: application)], logger: log.logger)
        self.group = group
        running = Task { try await group.run() }
    }

    /// Asks it to read this config now.
    func reload(_ yaml: String) {
        config.withLock { $0 = yaml }
        request.yield()
    }

    /// Drains, closes, and returns when nothing is left.
    func stop() async throws {
        await group.triggerGracefulShutdown()
        try await running.value
        await runtime.shutdown()
    }

    private struct Whole: ServiceLifecycle.Service {
        let application: Application

        func run() async throws { try await application.run() }
    }
}
