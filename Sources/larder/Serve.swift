internal import ArgumentParser
internal import Service

struct Serve: SignalHeeding {
    static let configuration = CommandConfiguration(abstract: "Runs the service.")

    @OptionGroup var options: ConfigOption

    func run() async throws {
        try await reporting(options.environment) {
            try await ServeCommand(configPath: options.path(), environment: options.environment).run()
        }
    }
}
