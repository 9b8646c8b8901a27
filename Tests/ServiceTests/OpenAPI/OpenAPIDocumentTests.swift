@testable import OperatorsAPI
@testable import Serving
import Concurrency
import Configuration
import FoundationEssentials
import HTTPServer
import JSON
import Products
import TestSupport
import Testing

@testable import Service

struct OpenAPIDocumentTests {
    @Test(arguments: [true, false])
    func `every route of a router is described, and nothing else is`(isPublic: Bool) async throws {
        let router = try await isPublic ? router() : routes().adminRouter()
        let document = try await document(router)
        #expect(Set(document.paths) == Set(router.routes.map(\.pattern.description)))
        for route in router.routes {
            let methods = document.operations.filter { $0.path == route.pattern.description }.map(\.method)
            #expect(methods == (route.method == .get ? ["GET", "HEAD", "OPTIONS"] : ["\(route.method)", "OPTIONS"]))
        }
    }

    @Test(arguments: [true, false])
    func `every reference leads to something, and everything that is named is referred to`(isPublic: Bool) async throws
    {
        let json = try await document(isPublic ? router() : routes().adminRouter()).json
        let components = json["components"]?.object?.members ?? []
        let named = components.filter { $0.key != "securitySchemes" }.flatMap { group in
            (group.value.object?.keys ?? []).map { "#/components/\(group.key)/\($0)" }
        }
        #expect(Self.references(in: .object(json)) == Set(named))
    }

    @Test func `streams of changes need no ETag, which differences have`() async throws {
        let json = try await document(router()).json
        let get = json["paths"]?.object?["/changes"]?.object?["get"]?.object
        let response = try #require(get?["responses"]?.object?["200"]?.object)
        let tag = try #require(response["headers"]?.object?["ETag"]?.object)
        #expect(tag["required"] == nil)
        #expect(response["content"]?.object?.keys.contains("text/event-stream") == true)
    }

    @Test func `operations have names of their own`() async throws {
        let json = try await document(router()).json
        let ids = (json["paths"]?.object?.members ?? []).flatMap { path in
            (path.value.object?.members ?? []).compactMap { $0.value.object?["operationId"]?.string }
        }
        #expect(Set(ids).count == ids.count && !ids.isEmpty)
    }

    @Test func `it is for this version, for the server that it came from, and needs no key`() async throws {
        let json = try await document(router()).json
        #expect(json["openapi"] == "3.1.1")
        #expect(json["info"]?.object?["version"]?.string == LarderVersion.current)
        #expect(json["servers"] == .array([.object(["url": "/"])]))
        #expect(json["security"] == .array([]))
    }

    @Test func `page lengths are those of the config`() async throws {
        let unlimited = try await limit(http: "")
        #expect(unlimited["maximum"] == 1000)
        #expect(unlimited["default"] == nil)
        let limited = try await limit(http: "pagination: { default_limit: 20, max_limit: 50 }")
        #expect(limited["minimum"] == 0)
        #expect(limited["maximum"] == 50)
        #expect(limited["default"] == 20)
    }

    @Test func `the headers that a graph consults are parameters, and no others are said to be`() async throws {
        #expect(try await consulted(graph: "{ type: memory, upstream: a }") == [])
        let audience = "{ type: audience, header: x-tier, cases: { gold: a }, otherwise: a }"
        #expect(try await consulted(graph: audience) == ["X-Tier"])
        let counted = "{ type: analytics, sink: { type: log }, event: e, upstream: \(audience) }"
        #expect(try await consulted(graph: counted) == ["X-Tier", "Sec-GPC", "DNT"])
    }

    @Test func `limits that are off are not described`() async throws {
        let off = try await document(
            router(http: "limits: { connections: 0, outstanding: 0, per_address: 0 }"))
        for operation in off.operations {
            #expect(operation.answers[429] == nil)
            let isOwn = [
                "/products", "/products/{id}", "/categories", "/changes", "/readyz", "/healthz",
            ].contains(operation.path)
            #expect((operation.answers[503] != nil) == (isOwn && operation.method != "OPTIONS"))
        }
    }

    @Test
    func `the operators' port has an index that links to all that opens without a parameter, and to nothing else`()
        async throws
    {
        let router = try await routes().adminRouter()
        let index = try await router.response(to: HTTPRequest(target: "/"))
        let page = String(decoding: index.body.bytes, as: UTF8.self)
        let paths = page.matches(of: /href="([^"?]+)/).map { String($0.output.1) }
        let pages = router.routes.filter { $0.method == .get }.map(\.pattern.description)
        #expect(Set(paths) == Set(pages).subtracting(["/", "/diff"]))
    }

    private func limit(http: String) async throws -> JSONObject {
        let operation = try #require(try await document(router(http: http)).operations.first)
        return try #require(operation.parameters.first { $0.name == "limit" }).schema
    }

    private func consulted(graph: String) async throws -> [String] {
        let operation = try #require(try await document(router(graph: graph)).operations.first)
        let usual = Set(["Accept-Encoding", "If-Match", "If-Modified-Since", "If-None-Match", "If-Unmodified-Since"])
        return operation.parameters.filter { $0.place == "header" && !usual.contains($0.name) }.map(\.name)
    }

    private func router(
        http: String = "", graph: String = "{ type: memory, upstream: a }"
    ) async throws -> Router {
        try await routes(http: http, graph: graph).publicRouter()
    }

    private func routes(
        http: String = "", graph: String = "{ type: memory, upstream: a }"
    ) async throws -> Routes {
        let configuration = try ServiceSettings.loaded(
            "http: { \(http) }\nserve: b\nproviders:\n  b: \(graph)\n"
                + "  a: { type: http, request: { base_url: \"http://shop.example\" } }\n")
        let runtime = try Runtime(threads: 1, logger: LogRecorder().logger)
        let made = Result { try ServingGraph(configuration, in: runtime.assembly(for: configuration)) }
        await runtime.shutdown()
        let graph = try made.get()
        let useCase = ProductsUseCase(provider: graph.provider, popularity: PopularityRule())
        return Routes(
            configuration: configuration.service.http, started: configuration.service.http, graph: graph,
            config: ConfigIdentity(edition: 1, hash: configuration.hash), useCase: useCase,
            responses: ResponseCache(
                useCase: useCase, consulted: ConsultedHeaders(graph.outline), metrics: runtime.metrics,
                wallClock: .system),
            readiness: ReadinessTracker(wallClock: .system), wallClock: .system, metrics: runtime.metrics,
            logger: LogRecorder().logger, operators: OperatorsGuard(token: nil, logger: LogRecorder().logger),
            names: OperatorsNames([]))
    }

    private func document(_ router: Router) async throws -> DocumentedPort {
        let response = try await router.response(to: HTTPRequest(target: "/openapi.json"))
        return try DocumentedPort(response.body.bytes)
    }

    private static func references(in value: JSONValue) -> Set<String> {
        switch value {
        case .object(let object):
            object.members.reduce(into: []) { found, member in
                if member.key == "mapping" {
                    found.formUnion((member.value.object?.members ?? []).compactMap(\.value.string))
                } else if member.key == "$ref", let reference = member.value.string {
                    found.insert(reference)
                } else {
                    found.formUnion(references(in: member.value))
                }
            }
        case .array(let elements): elements.reduce(into: []) { $0.formUnion(references(in: $1)) }
        case .null, .bool, .number, .string: []
        }
    }
}
