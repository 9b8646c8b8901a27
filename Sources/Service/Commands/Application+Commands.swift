internal import EventLoop
internal import FileSystem
internal import HTTPServer

extension Application {
    /// An application on a libevent that will do, whose failure to start is told in words.
    static func make(
        _ configuration: LoadedConfiguration, runtime: Runtime, reloadingFrom source: ReloadSource
    ) async throws -> Application {
        do {
            try LibeventSoundness.find().check(runtime.logger)
            configuration.service.http.limits.check(openFiles: Files.mostOpen, runtime.logger)
            return try await Application(configuration, runtime: runtime, reloadingFrom: source)
        } catch {
            throw CommandFailure("larder: \(error)")
        }
    }
}
