internal import Concurrency
internal import EventLoop
internal import Logging
internal import ServiceLifecycle

/// Notifies the service manager that the service is ready, alive and stopping. It counts as alive while every loop
/// responds.
struct ManagerNotices: Service {
    let manager: ServiceManager
    let loops: EventLoopGroup
    let logger: Logger
    var clock: any Clock<Duration> = ContinuousClock()

    func run() async throws {
        let error = manager.tell(.ready)
        if error != 0 {
            logger.warning("the service manager cannot be reached", metadata: ["errno": .stringConvertible(error)])
        }
        if let watchdog = manager.watchdog {
            await cancelWhenGracefulShutdown { [self] in
                while (try? await clock.sleep(for: watchdog / 3)) != nil {
                    for loop in loops.loops { await loop.run {} }
                    manager.tell(.alive)
                }
            }
        } else {
            try? await gracefulShutdown()
        }
        manager.tell(.stopping)
    }
}
