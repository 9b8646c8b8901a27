import EventLoop
import TestSupport

@testable import HTTPServer

/// Runs a server with its own loops for the time of a test.
func withServer(
    loops count: Int = 1, options: HTTPServerOptions = HTTPServerOptions(), certificate: TLSCertificate? = nil,
    errors: Observed<Int> = Observed(0), _ handler: any HTTPHandler, _ body: (HTTPServer, UInt16) async throws -> Void
) async throws {
    let group = try EventLoopGroup(count: count)
    let server = HTTPServer(
        loops: group.loops, address: HTTPAddress(host: "127.0.0.1", port: 0), options: options,
        certificate: certificate, handler: handler, onError: { _, _ in errors.update { $0 += 1 } })
    try await attempt {
        try await server.start()
        try await body(server, server.port ?? 0)
    } finally: {
        await server.stop(deadline: .zero)
        await group.shutdown()
    }
}

/// A handler made of a closure, with the type spelled out so that literals need not.
func handler(_ answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) -> ClosureHTTPHandler {
    ClosureHTTPHandler(answer)
}

/// Answers with the request's own target.
let echo = handler { request in
    HTTPResponse(status: .ok, headers: ["Content-Type": "text/plain"], body: HTTPBody(text: request.target))
}

/// Whether a handler responds immediately, also where the server has no fast path, or later. Clients see no difference.
enum Manner: CaseIterable, Sendable {
    case atHand, atHandByEvhttp, later

    private struct Prompt: HTTPHandler {
        let make: @Sendable (HTTPRequest) throws -> HTTPResponse

        func respond(to request: HTTPRequest) throws -> EventualResponse {
            .ready(try make(request))
        }
    }

    /// A handler that answers with what the closure gives, in this manner.
    func handler(_ respond: @escaping @Sendable (HTTPRequest) throws -> HTTPResponse) -> any HTTPHandler {
        switch self {
        case .atHand, .atHandByEvhttp: Prompt(make: respond)
        case .later: ClosureHTTPHandler { try respond($0) }
        }
    }

    /// The options of a server in this manner.
    var options: HTTPServerOptions {
        var options = HTTPServerOptions()
        options.usesFastPath = self != .atHandByEvhttp
        return options
    }
}

/// How a test's clients and its server speak to each other.
enum Transport: Sendable, CaseIterable {
    case plain
    case tls12
    case tls13

    /// What a client offers; nil for plain HTTP.
    var offer: TLSOffer? {
        switch self {
        case .plain: nil
        case .tls12: TLSOffer(.v12 ... .v12)
        case .tls13: TLSOffer(.v13 ... .v13)
        }
    }

    /// What the server has for it.
    var certificate: TLSCertificate? {
        get throws { self == .plain ? nil : try .test(.first) }
    }
}

extension TLSCertificate {
    /// One of the tests' own.
    static func test(_ certificate: TestCertificate, minimumVersion: TLSVersion = .v12) throws -> TLSCertificate {
        try TLSCertificate(
            chain: try certificate.chain, key: try certificate.key, minimumVersion: minimumVersion)
    }
}

/// How a request comes and how its answer is found.
struct Way: Sendable {
    let transport: Transport
    let manner: Manner

    /// Every one of them.
    static let all = Transport.allCases.flatMap { transport in
        Manner.allCases.map { Way(transport: transport, manner: $0) }
    }
}

/// Records the statuses that are reported to it.
final class StatusObserver: RouteObserver {
    let seen = Shared<[Int]>([])

    func record(_ method: HTTPMethod, _ status: HTTPStatus, after nanoseconds: Int64) {
        seen.withLock { $0.append(status.code) }
    }
}

/// Responds with the request's own target: behind a gate, or immediately if it is not the target that waits.
struct EchoBehindGate: HTTPHandler {
    let gate: Gate
    var waits: String?

    func respond(to request: HTTPRequest) -> EventualResponse {
        let response = HTTPResponse(status: .ok, body: HTTPBody(text: request.target))
        if let waits, !request.hasRawPath(waits.utf8) { return .ready(response) }
        return .pending {
            await gate.pass()
            return response
        }
    }
}

extension HTTPRequest {
    /// Every field in the order in which it came.
    var headers: [(name: String, value: String)] {
        var all: [(name: String, value: String)] = []
        unsafe storage.forEachField { name, value in
            unsafe all.append((String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self)))
        }
        return all
    }
}
