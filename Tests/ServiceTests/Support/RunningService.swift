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
    private let runtime: Runtime
    private let group: ServiceGroup
    private let running: Task<Void, any Error>

    init(_ settings: ServiceSettings, clock: ManualWallClock, log: LogRecorder) async throws {
        let runtime = try Runtime(threads: 1, logger: log.logger, wallClock: WallClock { [clock] in clock.now })
        self.runtime = runtime
        do {
            application = try await Application(try settings.loaded(), runtime: runtime)
        } catch {
            await runtime.shutdown()
            throw error
        }
        let group = ServiceGroup(services: [Whole(application: application)], logger: log.logger)
        self.group = group
        running = Task { try await group.run() }
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
