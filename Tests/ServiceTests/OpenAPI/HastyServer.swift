import Configuration
import HTTPServer

@testable import Service

/// A second public port of a running service, with a short deadline for requests.
struct HastyServer {
    let port: Int
    private let server: HTTPServer

    init(_ subjects: Reloader.Subjects) async throws {
        var options = HTTPServerOptions()
        options.requestDeadline = .milliseconds(50)
        let current = subjects.current
        server = subjects.runtime.server(NetworkAddress(host: "127.0.0.1", port: 0), options) { loop in
            EditionHandler(current: current.copies[loop], choose: \.publicHandler)
        }
        try await server.start()
        port = Int(server.port ?? 0)
    }

    func stop() async {
        await server.stop(deadline: .seconds(10))
    }
}
