internal import API
internal import Configuration
internal import EventLoop
internal import Networking

/// `larder healthcheck`: asks the service on this machine how it is, for container images that have no `curl`.
public struct HealthcheckCommand: Sendable {
    private let configPath: String
    private let path: String
    private let environment: CommandEnvironment

    /// Asks the service that runs by the config file at `configPath` for `path`.
    public init(configPath: String, path: String, environment: CommandEnvironment) {
        self.configPath = configPath
        self.path = path
        self.environment = environment
    }

    /// - Throws: `CommandFailure` unless the answer is 200 within two seconds.
    public func run() async throws {
        let listen = try port()
        let loop = try EventLoop(name: "larder-health")
        let client = HTTPClient(loops: [loop], userAgent: UserAgent(version: LarderVersion.current))
        let outcome = await ask(client, "http://\(Self.reachable(listen))\(path)")
        await client.shutdown()
        await loop.shutdown()
        try outcome.get()
    }

    private func ask(_ client: HTTPClient, _ url: String) async -> Result<Void, CommandFailure> {
        do {
            let response = try await client.send(HTTPClientRequest(url: url))
            if response.status == 200 { return .success(()) }
            let reason = String(decoding: response.body.prefix(200), as: UTF8.self)
            return .failure(CommandFailure("larder: \(url): status \(response.status): \(reason)"))
        } catch {
            return .failure(CommandFailure("larder: \(error)"))
        }
    }

    /// The port for operators: it has the same probes, and neither clients who take up all connections nor a certificate,
    /// which would not name this machine.
    ///
    /// What else is wrong with the file makes no difference, because a service goes on with the config that it has. It
    /// also goes on with the port that it has: where the file names another one, nobody is found there before the next
    /// start of the service.
    func port() throws(CommandFailure) -> NetworkAddress {
        do {
            let document = try ConfigDocument.read(path: configPath, environment: environment.variables)
            if let listen = ServiceConfiguration.adminListen(of: document) { return listen }
            return try LoadedConfiguration.check(document).service.adminListen
        } catch {
            throw CommandFailure("\(error)")
        }
    }

    /// An address that means every interface is asked on the loopback one.
    static func reachable(_ listen: NetworkAddress) -> NetworkAddress {
        switch listen.host {
        case "0.0.0.0": NetworkAddress(host: "127.0.0.1", port: listen.port)
        case "::": NetworkAddress(host: "::1", port: listen.port)
        default: listen
        }
    }
}
