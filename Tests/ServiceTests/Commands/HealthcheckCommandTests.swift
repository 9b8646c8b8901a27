import Configuration
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
}
