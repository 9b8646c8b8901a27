import Configuration
import HTTPServer
import TestSupport
import Testing

@testable import Service

/// Requests everything that the document describes over sockets, and checks every response against it.
@Suite(.timeLimit(.minutes(2)))
struct OpenAPIWalkTests {
    @Test func `every status and field that is described can be seen, and nothing else is`() async throws {
        try await DescribedStand.with { stand in
            let walk = try await Walk(port: stand.port())
            try await walk.usual(unavailable: [
                "/products", "/products/{id}", "/categories", "/changes", "/readyz", "/healthz",
            ])
            try await stand.serve()
            try await walk.usual()
            try await walk.otherMethods()
            try await walk.conditions()
            try await walk.parameters()
            try await walk.products()
            try await walk.pages(stand)
            try await walk.changes()
            try await walk.refused()
            try await walk.unfinished()
            try await walk.crowded(DescribedStand.connections)
            #expect(walk.missing(except: [504]) == [])
        }
    }

    @Test func `where addresses have a limit, it is described and can be met`() async throws {
        try await DescribedStand.with(limits: ", per_address: 2") { stand in
            let walk = try await Walk(port: stand.port())
            #expect(walk.operations(with: 429).count == walk.document.operations.count)
            try await walk.crowded(2, expecting: 429)
        }
    }

    @Test func `an answer that takes too long is described where it can be had, and is as described`() async throws {
        let upstream = GatedUpstream()
        defer { upstream.close() }
        upstream.gate.close()
        try await Stand.with {
            $0.upstream = upstream.address
            $0.isMonitored = false
        } _: { stand in
            let walk = try await Walk(port: stand.port())
            let operations = walk.operations(with: 504)
            #expect(Set(operations.map(\.path)) == ["/products", "/products/{id}", "/categories", "/changes"])
            let hasty = try await HastyServer(stand.parts)
            for operation in operations {
                let target = operation.path == "/changes" ? "/changes?since=any" : nil
                try await walk.ask(operation, target, port: hasty.port, expecting: 504)
            }
            upstream.gate.open()
            await hasty.stop()
        }
    }

    @Test(arguments: ["\"*\"", "https://shop.example"])
    func `where pages of other origins may read answers, all that they are told is described`(origin: String)
        async throws
    {
        try await Stand.with {
            $0.http = "listen: 127.0.0.1:0, cors: { allow_origins: [\(origin)] }"
        } _: { stand in
            _ = try await stand.warm()
            let walk = try await Walk(port: stand.port())
            let fields = "Origin: https://shop.example\r\n"
            for operation in walk.document.operations {
                let target = operation.path == "/products/{id}" ? "/products/p-1" : nil
                let isOptions = operation.method == "OPTIONS"
                let answer = try await walk.ask(operation, target, fields: fields, expecting: isOptions ? 204 : 200)
                #expect(answer?.headers["access-control-allow-origin"] != nil)
                guard isOptions else { continue }
                let preflight = "\(fields)Access-Control-Request-Method: GET\r\n"
                try await walk.ask(operation, target, fields: preflight, expecting: 204)
            }
            let missing = walk.missing().filter { $0.contains(" 200 ") || $0.contains(" 204 ") }
            #expect(missing.filter { $0.contains("access-control") || $0.hasSuffix("vary") } == [])
        }
    }
}

/// A second public port of a running service, with a short deadline for requests.
private struct HastyServer {
    let port: Int
    private let server: HTTPServer

    init(_ parts: Reloader.Parts) async throws {
        var options = HTTPServerOptions()
        options.requestDeadline = .milliseconds(50)
        let current = parts.current
        server = parts.runtime.server(NetworkAddress(host: "127.0.0.1", port: 0), options) { loop in
            EditionHandler(current: current.copies[loop], choose: \.publicHandler)
        }
        try await server.start()
        port = Int(server.port ?? 0)
    }

    func stop() async {
        await server.stop(deadline: .seconds(10))
    }
}
