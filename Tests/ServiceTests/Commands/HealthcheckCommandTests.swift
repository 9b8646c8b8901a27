import Configuration
import FileSystem
import TestSupport
import Testing

@testable import Service

@Suite("Where a health check asks")
struct HealthcheckCommandTests {
    @Test(
        "An address that means every interface is asked on the loopback one",
        arguments: [
            ("0.0.0.0:8080", "127.0.0.1:8080"), ("[::]:8080", "[::1]:8080"), ("10.0.0.7:81", "10.0.0.7:81"),
            ("localhost:82", "localhost:82"),
        ])
    func reachable(listen: String, asked: String) throws {
        let address = try #require(NetworkAddress(listen))
        #expect("\(HealthcheckCommand.reachable(address))" == asked)
    }

    @Test(
        "The port for operators is asked, whatever else is wrong with the file by now",
        arguments: [
            ("serve: a", "127.0.0.1:9090"), ("admin: { listen: 127.0.0.1:81 }", "127.0.0.1:81"),
            ("admin: { listen: 127.0.0.1:82 }\nhttp: { listn: x, tls: { certificate: gone.pem } }", "127.0.0.1:82"),
        ])
    func port(config: String, asked: String) throws {
        #expect("\(try port(config))" == asked)
    }

    @Test("A port that cannot be read is told with all else that is wrong")
    func unknown() throws {
        #expect {
            try port("admin: { listen: here }")
        } throws: { error in
            "\(error)".contains("1:18: error: \"listen\": bad address \"here\"")
                && "\(error)".contains("missing \"serve\" at the top level")
        }
    }

    private func port(_ config: String) throws -> NetworkAddress {
        let directory = try TemporaryDirectory()
        try Files.create(directory("c.yaml"), Array(config.utf8))
        return try HealthcheckCommand(
            configPath: directory("c.yaml"), path: "/healthz", environment: CommandEnvironment(variables: [:])
        ).port()
    }
}
