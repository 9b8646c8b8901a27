internal import ArgumentParser
internal import EventLoop
internal import Networking
internal import OperatorsAPI
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
        // Uses the port for operators: it has the same probes, but neither clients that may use up all connections nor
        // a certificate, which would not include this machine's name.
        let listen = try options.operators(in: environment).listen
        let loop = try EventLoop(name: "larder-health")
        let client = HTTPClient(loops: [loop], userAgent: UserAgent(version: LarderVersion.current))
        let failure = await ask(client, "http://\(listen.reachable)\(path)")
        await client.shutdown()
        await loop.shutdown()
        if let failure { throw CommandFailure("larder: \(failure)") }
    }

    /// Returns the probe's failure; nil if there is none.
    private func ask(_ client: HTTPClient, _ url: String) async -> String? {
        do {
            let response = try await client.send(HTTPClientRequest(url: url))
            if response.status == 200 { return nil }
            return "\(url): status \(response.status): \(String(decoding: response.body.prefix(200), as: UTF8.self))"
        } catch {
            return "\(error)"
        }
    }
}
