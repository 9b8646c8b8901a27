package import HTTPServer
internal import JSON

/// An operation of the public port, for its OpenAPI description.
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
    /// GET, with which HEAD goes, or another one, whose requests have a body.
    var method = HTTPMethod.get
}

/// A route together with its description, which no route of the public port lacks.
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
