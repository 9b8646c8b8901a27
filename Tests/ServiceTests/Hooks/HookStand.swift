import FileSystem
import FoundationEssentials
import Hashing
import Networking
import TestSupport
import Testing

@testable import Service

/// A running service with webhooks, a shop that sends them, and the clocks. Its settings change only while nothing is sent.
final class HookStand: AskedService, @unchecked Sendable {
    static let secret = "hush"

    let shop: ScriptedShop
    /// Before the present, so that the `Date` of the upstream is in its future, which says nothing.
    let clock = ManualWallClock(now: Date(timeIntervalSince1970: 1_700_000_000))
    let pauses = ManualClock()
    let log = LogRecorder()
    let service: RunningService
    private let directory: TemporaryDirectory
    private let runtime: Runtime
    private var settings: ServiceSettings

    private init(
        _ shop: ScriptedShop, hooks: String, http: String, _ directory: TemporaryDirectory
    ) async throws {
        self.shop = shop
        self.directory = directory
        try Files.create(directory("secret"), Array("\(Self.secret)\n".utf8))
        settings = ServiceSettings(upstream: "127.0.0.1:\(shop.port)", data: directory.path)
        (settings.ttl, settings.isMonitored) = ("1h", false)
        settings.http += http
        settings.sections = hooks.replacing("SECRET", with: directory("secret"))
        runtime = try Runtime(threads: 1, logger: LogRecorder().logger)
        do {
            service = try await RunningService(yaml: settings.yaml, clock: clock, log: log, pauses: pauses)
        } catch {
            await runtime.shutdown()
            throw error
        }
    }

    /// Runs a test with a service that has asked the shop once, and with these hooks.
    static func with(
        hooks: String = "hooks: { shop: { signature: github, secret_file: SECRET } }", http: String = "",
        _ body: (HookStand) async throws -> Void
    ) async throws {
        try await ScriptedShop.with { shop in
            shop.serve(catalogue(price: "1.25"))
            let stand = try await HookStand(shop, hooks: hooks, http: http, try TemporaryDirectory())
            try await attempt {
                #expect(try await stand.serves(price: "1.25"))
                #expect(shop.requests == 1)
                try await body(stand)
            } finally: {
                try await stand.service.stop()
                await stand.runtime.shutdown()
            }
        }
    }

    static func catalogue(price: String) -> String {
        #"[{"type":"physical","id":"mug","name":"Mug","price":{"amount":\#(price),"currency":"EUR"}}]"#
    }

    var port: Int { service.application.port }

    /// Whether clients get this price.
    func serves(price: String) async throws -> Bool {
        try await get("/products", ["Accept-Encoding": "identity"]).text.contains(price)
    }

    /// Reloads with other hooks, and returns when they are in force.
    func reload(hooks: String) async {
        settings.sections = hooks.replacing("SECRET", with: directory("secret"))
        let count = log.count(of: "notice: reloaded")
        service.reload(settings.yaml)
        await log.wait(for: "notice: reloaded", count: count + 1)
    }

    func setSecret(_ secret: String) throws {
        try Files.remove(directory("secret"))
        try Files.create(directory("secret"), Array(secret.utf8))
    }

    /// Sends a delivery as GitHub does.
    @discardableResult
    func hook(
        _ name: String = "shop", body: String = "{}", id: String? = nil, secret: String = HookStand.secret,
        method: String = "POST"
    ) async throws -> HTTPClientResponse {
        let ids = id.map { [HTTPHeader("X-GitHub-Delivery", $0)] } ?? []
        let headers = [Self.signature(of: body, secret)] + ids
        return try await post("/hooks/\(name)", body: body, headers, method: method)
    }

    static func signature(of text: String, _ secret: String) -> HTTPHeader {
        let code = MessageAuthentication.code(of: Array(text.utf8), key: Array(secret.utf8))
        let digits = code.map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
        return HTTPHeader("X-Hub-Signature-256", "sha256=\(digits)")
    }

    func post(
        _ target: String, body: String, _ headers: [HTTPHeader] = [], method: String = "POST"
    ) async throws -> HTTPClientResponse {
        try await runtime.client.send(
            HTTPClientRequest(
                method: method, url: "http://127.0.0.1:\(port)\(target)", headers: headers, body: Array(body.utf8),
                limits: .wide))
    }

    func send(
        _ target: String, _ method: String, _ headers: [HTTPHeader], admin: Bool
    ) async throws -> HTTPClientResponse {
        let port = admin ? service.application.adminPort : port
        return try await runtime.client.send(
            HTTPClientRequest(
                method: method, url: "http://127.0.0.1:\(port)\(target)", headers: headers, limits: .wide))
    }

    /// The number of requests for a hook with an outcome.
    func count(_ outcome: String, _ name: String = "shop") async throws -> Int {
        let metrics = try await metrics()
        return Int(metrics.value("larder_hooks_total", ["hook": name, "outcome": outcome]) ?? -1)
    }
}
