package import HTTPServer
package import JSON
package import OpenAPI

/// The OpenAPI description of a port, made from the descriptions of its routes.
struct OpenAPIDocument {
    /// A route's path and description.
    typealias Place = (pattern: RoutePattern, description: RouteDescription)

    private(set) var json: JSONObject
    private let port: PortDescription
    /// Responses that several operations refer to, by name.
    private var shared = JSONObject()

    init(_ port: PortDescription, _ places: [Place]) {
        self.port = port
        json = [
            "openapi": "3.1.1", "info": .object(["title": "Larder", "version": .string(port.version)]),
            "servers": .array([.object(["url": "/"])]), "security": .array([]),
        ]
        var paths = JSONObject()
        for place in places { paths[place.pattern.description] = .object(item(place)) }
        json["paths"] = .object(paths)
        var components: JSONObject = ["schemas": .object(schemas), "responses": .object(shared)]
        if port.isForOperators {
            components["securitySchemes"] = .object(["token": .object(["type": "http", "scheme": "bearer"])])
        }
        if !port.access.schemes.isEmpty { components["securitySchemes"] = .object(port.access.schemes) }
        json["components"] = .object(components)
    }

    private var schemas: JSONObject {
        var schemas = port.schemas
        schemas[ProblemSchema.name] = .object(ProblemSchema.schema)
        return schemas
    }

    private mutating func item(_ place: Place) -> JSONObject {
        var item = JSONObject()
        let parameters = place.description.parameters.filter { $0.place == .path }
        if !parameters.isEmpty { item["parameters"] = .array(parameters.map { .object($0.json) }) }
        let own = place.description.method
        for method in own == .get ? [.get, .head, .options] : [own, .options] {
            item["\(method)".lowercased()] = .object(operation(method, place))
        }
        return item
    }

    private mutating func operation(_ method: HTTPMethod, _ place: Place) -> JSONObject {
        let route = place.description
        let (suffix, summary) =
            switch method {
            case route.method: ("", route.summary)
            case .head: ("Head", "The head of the answer to GET")
            default: ("Options", "The methods that the resource has")
            }
        let parameters =
            method == .options
            ? port.cors.preflightParameters
            : route.parameters.filter { $0.place != .path } + port.cors.parameters
        var json: JSONObject = ["operationId": .string(route.id + suffix), "summary": .string(summary)]
        if method == route.method { json["description"] = route.details.map { .string($0) } }
        if !parameters.isEmpty { json["parameters"] = .array(parameters.map { .object($0.json) }) }
        // Without a token if none is configured.
        if method == route.method, route.isOrder {
            json["security"] = .array([.object(["token": .array([])]), .object([:])])
        }
        if port.access.takesKey(place.pattern.description) {
            json["security"] = .array([.object(["bearer": .array([])]), .object(["key": .array([])])])
        }
        if method == .post, route.hasBody { json["requestBody"] = .object(["content": .object(["*/*": .object([:])])]) }
        json["responses"] = .object(responses(method, place))
        return json
    }

    /// The response objects of an operation. Responses that do not come from the route itself are shared.
    private mutating func responses(_ method: HTTPMethod, _ place: Place) -> JSONObject {
        let routed = method == .options ? Self.optionsResponses(place.description) : place.description.responses
        let own =
            routed.map { readable($0.status < 400 ? $0 : $0.with([.requestID])) }
            + (method == .options ? port.cors.preflight.map { [$0] } ?? [] : [])
        let refused = (port.refusals(of: method, at: place) + port.access.refusals(at: place.pattern.description)).map {
            readable($0.with([.requestID]))
        }
        let isOwn = Set(own.map(\.status))
        let all = Dictionary(grouping: own + refused, by: \.status)
        return JSONObject(
            all.keys.sorted().map { status in
                let response = ResponseDescription.json(of: all[status] ?? [], hasBody: method != .head)
                guard !isOwn.contains(status) else { return ("\(status)", .object(response)) }
                let name = "Refused\(status)" + (method == .head ? "Head" : "")
                return ("\(status)", .object(reference(to: response, named: name)))
            })
    }

    /// Adds the CORS header fields.
    private func readable(_ response: ResponseDescription) -> ResponseDescription {
        response.with(port.cors.fields, possible: port.cors.possibleFields)
    }

    /// OPTIONS reads only the path of a request.
    private static func optionsResponses(_ route: RouteDescription) -> [ResponseDescription] {
        let methods = ResponseDescription(status: 204, meaning: "They are named.", fields: [.allow])
        guard route.parameters.contains(where: { $0.place == .path }) else { return [methods] }
        return [methods, .problem(400, "The path is not properly percent-encoded.")]
    }

    /// Refers to a response, which is added to the shared ones. A number distinguishes different responses of one name.
    private mutating func reference(to response: JSONObject, named name: String) -> JSONObject {
        var (key, number) = (name, 1)
        while let other = shared[key], other != .object(response) {
            number += 1
            key = "\(name).\(number)"
        }
        shared[key] = .object(response)
        return ["$ref": .string("#/components/responses/\(key)")]
    }
}

/// The properties that all routes of a port share.
package struct PortDescription: Sendable {
    /// The limits by which the server itself refuses requests.
    let options: HTTPServerOptions
    /// Whether connections are encrypted. If so, connections beyond the limit are closed without a response.
    let isEncrypted: Bool
    let cors: HTTPCORS
    let access: AccessDescription
    let isForOperators: Bool
    /// The version of the program.
    let version: String
    /// The schemas that the routes refer to, by name, except the schema of problems.
    let schemas: JSONObject

    package init(
        options: HTTPServerOptions, isEncrypted: Bool, cors: HTTPCORS, access: AccessDescription = AccessDescription(),
        isForOperators: Bool = false, version: String, schemas: JSONObject
    ) {
        self.options = options
        self.isEncrypted = isEncrypted
        self.cors = cors
        self.access = access
        self.isForOperators = isForOperators
        self.version = version
        self.schemas = schemas
    }

    /// The port for operators; only its own pages may read it.
    package init(forOperators options: HTTPServerOptions, version: String, schemas: JSONObject) {
        self.init(
            options: options, isEncrypted: false,
            cors: HTTPCORS(allowedOrigins: [], allowedHeaders: [], maxAge: .zero), isForOperators: true,
            version: version, schemas: schemas)
    }

    /// The responses to requests that the server refuses before routing, in the order of the reasons.
    fileprivate func refusals(of method: HTTPMethod, at place: OpenAPIDocument.Place) -> [ResponseDescription] {
        HTTPRefusal.allCases.filter { mayRefuse(for: $0, method, place) }.compactMap { refusal in
            guard let response = HTTPRefusalResponse(refusal),
                let problem = (try? JSONParser().parse(Array(response.body.utf8)))?.object
            else { return nil }
            let fields = response.fieldNames.compactMap(ResponseHeader.init(rawValue:)).filter { $0 != .cacheControl }
            return .problem(
                response.statusCode, problem["detail"]?.string ?? "", fields: fields,
                examples: [refusal.rawValue: .object(["value": .object(problem)])])
        }
    }

    private func mayRefuse(
        for refusal: HTTPRefusal, _ method: HTTPMethod, _ place: OpenAPIDocument.Place
    ) -> Bool {
        switch refusal {
        // Such requests do not reach this route.
        case .target, .connect, .notAllowed, .method, .streams: false
        case .headBody: method == .head
        // Any body of HEAD is `headBody`.
        case .chunked, .body, .coding: method != .head
        case .headTimeout: options.headDeadline > .zero || options.idleTimeout > .zero
        case .addressLimit: options.maximumConnectionsPerAddress > 0 && !isEncrypted
        case .connections: options.maximumConnections > 0 && !isEncrypted
        case .overloaded:
            options.maximumOutstanding > 0 && !options.alwaysServedPaths.contains(place.pattern.description)
        case .deadline: method != .options && place.description.waits && options.requestDeadline > .zero
        default: true
        }
    }
}
