package import HTTPServer
internal import JSON

/// An operation of a port, for its OpenAPI description.
package struct RouteDescription: Sendable {
    /// The operation's name, by which generated clients call their function.
    let id: String
    /// One line.
    let summary: String
    var details: String?
    var parameters: [ParameterDescription] = []
    /// The responses of the route itself, one for each reason; refusals by the server are not listed.
    var answers: [ResponseDescription]
    /// Whether the route may wait for an upstream, and so miss the server's deadline.
    var waits = false
    /// GET, with which HEAD goes, or another one.
    var method = HTTPMethod.get
    /// Whether requests have a body.
    var hasBody = false
    /// Whether it takes the token of operators, where there is one.
    var isOrder = false
}

/// A route together with its description, which no route of a port lacks.
package struct DescribedRoute: Sendable {
    package let route: Route
    let description: RouteDescription

    package init(_ pattern: RoutePattern, _ handler: some HTTPHandler, _ description: RouteDescription) {
        route = Route(description.method, pattern, handler)
        self.description = description
    }
}

/// A parameter of an operation.
struct ParameterDescription: Sendable, Equatable {
    /// Its place in a request.
    enum Place: String, Sendable {
        case path, query, header
    }

    let name: String
    let place: Place
    let meaning: String
    let schema: JSONObject
    /// A value that is valid for any catalogue.
    var example: JSONValue?
    /// Whether it may have no value.
    var isEmptyAllowed = false
    /// Whether each element of an array is a parameter of its own; otherwise commas separate them.
    var isRepeated = false

    /// A parameter object of the document.
    var json: JSONObject {
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
    var fields: [ResponseHeader] {
        if allowedOrigins.isEmpty { return [] }
        return allowsAll ? Self.grant : [.vary]
    }

    /// The header fields of responses to listed origins.
    var possibleFields: [ResponseHeader] { allowedOrigins.isEmpty || allowsAll ? [] : Self.grant }

    /// The header fields that browsers add to requests of pages.
    var parameters: [ParameterDescription] {
        allowedOrigins.isEmpty ? [] : [Self.parameter("Origin", "The origin of the page that asks.", example)]
    }

    /// The header fields of a preflight.
    var preflightParameters: [ParameterDescription] {
        guard !allowedOrigins.isEmpty else { return [] }
        return parameters + [
            Self.parameter("Access-Control-Request-Method", "How the page wants to ask.", "GET")
        ]
    }

    /// The response to a preflight; nil without CORS.
    var preflight: ResponseDescription? {
        guard !allowedOrigins.isEmpty else { return nil }
        return ResponseDescription(
            status: 204, meaning: "The page may ask.",
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
