import API
internal import ArgumentParser
internal import Configuration
internal import EventLoop
internal import Networking
internal import Service

/// Probes the service on this machine, for container images that have no `curl`.
struct Healthcheck: Command {
    static let configuration = CommandConfiguration(
        abstract: "Probes the service on this machine: exit 0 when it is healthy, 1 when not.")

    @OptionGroup var options: ConfigOption

    @Option(help: "The path of the probe.")
    var path = "/healthz"

    /// - Throws: `CommandFailure` unless the answer is 200 within two seconds.
    func run(in environment: CommandEnvironment) async throws {
        let listen = try port(in: environment)
        let loop = try EventLoop(name: "larder-health")
        let client = HTTPClient(loops: [loop], userAgent: UserAgent(version: LarderVersion.current))
        let failure = await ask(client, "http://\(listen.reachable)\(path)")
        await client.shutdown()
        await loop.shutdown()
        if let failure { throw CommandFailure("larder: \(failure)") }
    }

    /// Returns why the probe failed; nil when it did not.
    private func ask(_ client: HTTPClient, _ url: String) async -> String? {
        do {
            let response = try await client.send(HTTPClientRequest(url: url))
            if response.status == 200 { return nil }
            return "\(url): status \(response.status): \(String(decoding: response.body.prefix(200), as: UTF8.self))"
        } catch {
            return "\(error)"
        }
    }

    /// The port for operators. It has the same probes, but neither clients that may take up all connections nor a
    /// certificate, which would not name this machine.
    ///
    /// Other errors in the file do not matter, because a running service keeps its config. It keeps its port as well:
    /// where the file names another one, the probe fails until the service is restarted.
    func port(in environment: CommandEnvironment) throws(CommandFailure) -> NetworkAddress {
        do {
            let path = options.path(in: environment)
            let document = try ConfigDocument.read(path: path, environment: environment.variables)
            if let listen = ServiceConfiguration.adminListen(of: document) { return listen }
            return try LoadedConfiguration.check(document).service.adminListen
        } catch {
            throw CommandFailure("\(error)")
        }
    }
}

extension NetworkAddress {
    /// The address to connect to: the loopback one for an address that means every interface.
    var reachable: NetworkAddress {
        let loopback = ["0.0.0.0": "127.0.0.1", "::": "::1"]
        return NetworkAddress(host: loopback[host] ?? host, port: port)
    }
}
