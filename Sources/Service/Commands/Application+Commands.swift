internal import EventLoop
internal import HTTPServer

extension Application {
    /// An application whose failure to start is told in words.
    static func make(
        _ configuration: LoadedConfiguration, runtime: Runtime, reloadingFrom source: ReloadSource
    ) async throws -> Application {
        do {
            return try await Application(configuration, runtime: runtime, reloadingFrom: source)
        } catch {
            throw CommandFailure("larder: \(error)")
        }
    }
}
