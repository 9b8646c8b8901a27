package import HTTPServer
package import JSON

/// An operation of a port, for its OpenAPI description.
package struct RouteDescription: Sendable {
    /// The operation's name, by which generated clients call their function.
    package let id: String
    /// One line.
    package let summary: String
    package var details: String?
    package let parameters: [ParameterDescription]
    /// The responses of the route itself, one for each reason; refusals by the server are not listed.
    package var responses: [ResponseDescription]
    /// Whether the route may wait for an upstream, and so miss the server's deadline.
    package let waits: Bool
    /// The method of its requests. GET includes HEAD.
    package var method = HTTPMethod.get
    /// Whether requests have a body.
    package var hasBody = false
    /// Whether it takes the token of operators, where there is one.
    package var isOrder = false

    package init(
        id: String, summary: String, details: String? = nil, parameters: [ParameterDescription] = [],
        responses: [ResponseDescription], waits: Bool = false
    ) {
        self.id = id
        self.summary = summary
        self.details = details
        self.parameters = parameters
        self.responses = responses
        self.waits = waits
    }
}

/// A route together with its description, which no route of a port lacks.
package struct DescribedRoute: Sendable {
    package let route: Route
    package let description: RouteDescription

    package init(
        _ pattern: RoutePattern, _ handler: some HTTPHandler, _ description: RouteDescription,
        bodyLimit: @escaping @Sendable (HTTPRequest) -> Int = { _ in 0 }
    ) {
        route = Route(description.method, pattern, handler, bodyLimit: bodyLimit)
        self.description = description
    }
}

/// A parameter of an operation.
package struct ParameterDescription: Sendable, Equatable {
    /// Its place in a request.
    package enum Place: String, Sendable {
        case path, query, header
    }

    package let name: String
    package let place: Place
    let meaning: String
    let schema: JSONObject
    /// A value that is valid for any catalogue.
    let example: JSONValue?
    /// Whether it may have no value.
    let isEmptyAllowed: Bool
    /// Whether each element of an array is a parameter of its own; otherwise commas separate them.
    let isRepeated: Bool

    package init(
        name: String, place: Place, meaning: String, schema: JSONObject, example: JSONValue? = nil,
        isEmptyAllowed: Bool = false, isRepeated: Bool = false
    ) {
        self.name = name
        self.place = place
        self.meaning = meaning
        self.schema = schema
        self.example = example
        self.isEmptyAllowed = isEmptyAllowed
        self.isRepeated = isRepeated
    }

    /// A parameter object of the document.
    package var json: JSONObject {
        var json: JSONObject = ["name": .string(name), "in": .string(place.rawValue), "description": .string(meaning)]
        if place == .path { json["required"] = true }
        if schema["type"] == "array" {
            json["style"] = "form"
            json["explode"] = .bool(isRepeated)
        }
        if isEmptyAllowed { json["allowEmptyValue"] = true }
        json["schema"] = .object(schema)
        json["example"] = example
        return json
    }
}

extension HTTPCORS {
    /// The header fields of all responses.
    package var fields: [ResponseHeader] {
        if allowedOrigins.isEmpty { return [] }
        return allowsAll ? Self.grant : [.vary]
    }

    /// The header fields of responses to listed origins.
    package var possibleFields: [ResponseHeader] { allowedOrigins.isEmpty || allowsAll ? [] : Self.grant }

    /// The header fields that browsers add to requests of pages.
    package var parameters: [ParameterDescription] {
        allowedOrigins.isEmpty ? [] : [Self.parameter("Origin", "The origin of the requesting page.", example)]
    }

    /// The header fields of a preflight.
    package var preflightParameters: [ParameterDescription] {
        guard !allowedOrigins.isEmpty else { return [] }
        return parameters + [
            Self.parameter("Access-Control-Request-Method", "The method of the coming request.", "GET")
        ]
    }

    /// The response to a preflight; nil without CORS.
    package var preflight: ResponseDescription? {
        guard !allowedOrigins.isEmpty else { return nil }
        return ResponseDescription(
            status: 204, meaning: "The page may send the request.",
            fields: [.allowedOrigin, .allowedMethods, .allowedHeaders, .preflightAge, .vary])
    }

    private static let grant: [ResponseHeader] = [.allowedOrigin, .exposedHeaders]
    private var allowsAll: Bool { allowedOrigins == ["*"] }
    private var example: String { allowsAll ? "https://shop.example" : allowedOrigins[0] }

    private static func parameter(_ name: String, _ meaning: String, _ example: String) -> ParameterDescription {
        ParameterDescription(
            name: name, place: .header, meaning: meaning, schema: Schema.text, example: .string(example))
    }
}

/// The keys and the rate limit of a port.
package struct AccessDescription: Sendable {
    let takesKeys: Bool
    let keyless: [String]
    let isRateLimited: Bool
    let unlimited: [String]

    /// - Parameters:
    ///   - keyless: the paths that take no key; one with a slash at its end includes all paths below it.
    ///   - unlimited: the paths that are never refused for their rate.
    package init(
        takesKeys: Bool = false, keyless: [String] = [], isRateLimited: Bool = false, unlimited: [String] = []
    ) {
        (self.takesKeys, self.keyless) = (takesKeys, keyless)
        (self.isRateLimited, self.unlimited) = (isRateLimited, unlimited)
    }

    private static func contain(_ paths: [String], _ path: String) -> Bool {
        paths.contains { $0 == path || $0.hasSuffix("/") && path.hasPrefix($0) }
    }

    /// Whether requests of a path take a key.
    package func takesKey(_ path: String) -> Bool { takesKeys && !Self.contain(keyless, path) }

    /// The security schemes, by name.
    package var schemes: JSONObject {
        guard takesKeys else { return [:] }
        return [
            "bearer": .object(["type": "http", "scheme": "bearer"]),
            "key": .object(["type": "apiKey", "in": "header", "name": "X-Api-Key"]),
        ]
    }

    /// The responses to requests of a path that are not admitted.
    package func refusals(at path: String) -> [ResponseDescription] {
        let keyed: [ResponseDescription] = [
            .problem(401, "There is no API key, or it is not known, or has ended.", fields: [.authenticate]),
            .problem(403, "The API key is not for this resource."),
        ]
        let limited = ResponseDescription.problem(
            429, "The client sends too many requests.", fields: [.retryAfter, .rateLimit, .rateLimitPolicy])
        return (takesKey(path) ? keyed : [])
            + (isRateLimited && !Self.contain(unlimited, path) ? [limited] : [])
    }
}
