internal import ServiceLifecycle

/// Reloads whenever that is asked for, one reload at a time, until the service stops. What is asked for while it starts
/// is done when it has started; what is asked for while it stops is not done.
struct Reloading: Service {
    let source: ReloadSource
    let reloader: Reloader

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await _ in source.requests { await reloader.reload(source.load) }
        }
    }
}
