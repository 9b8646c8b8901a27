package import HTTPServer
internal import JSON

/// Describes a route for its callers.
package struct RouteDescription: Sendable {
    /// The name of the operation; clients made from the document call their function so.
    let id: String
    /// The purpose of the route, in a line.
    let summary: String
    /// More about it.
    var details: String?
    var parameters: [ParameterDescription] = []
    /// The responses of the route itself, one for each reason. Refusals before the route is called are not here.
    var answers: [ResponseDescription]
    /// Whether it may have to wait for somebody else, and so for too long.
    var waits = false
}

/// A route with what is said of it, so that there is none without.
package struct DescribedRoute: Sendable {
    let place: DescribedPlace
    package let route: Route

    package init(
        _ method: HTTPMethod, _ pattern: RoutePattern, _ handler: some HTTPHandler, _ description: RouteDescription
    ) {
        place = DescribedPlace(method: method, pattern: pattern, description: description)
        route = Route(method, pattern, handler)
    }
}

/// Where a route is, and what it does.
struct DescribedPlace: Sendable {
    let method: HTTPMethod
    let pattern: RoutePattern
    let description: RouteDescription

    /// The methods that a client may use there on account of the route, its own first.
    var methods: [HTTPMethod] { method == .get ? [.get, .head, .options] : [method, .options] }
}

/// A parameter of a request beside its path.
struct ParameterDescription: Sendable, Equatable {
    /// Where it stands in a request.
    enum Place: String, Sendable {
        case path, query, header
    }

    let name: String
    let place: Place
    let meaning: String
    let schema: JSONObject
    /// A value that makes sense in any catalogue.
    var example: JSONValue?
    /// Whether it can stand there without a value.
    var isEmptyAllowed = false
    /// Whether an array's elements stand each in a parameter of its own, and not in one with commas.
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
