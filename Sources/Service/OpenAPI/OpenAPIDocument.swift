internal import HTTPServer
internal import JSON

/// The OpenAPI description of a port, made from the routes themselves.
struct OpenAPIDocument {
    /// The document.
    let json: JSONObject

    init(_ port: PortDescription, _ places: [DescribedPlace]) {
        var shared = SharedAnswers()
        let paths = Self.paths(port, places, &shared)
        json = [
            "openapi": "3.1.1",
            "info": .object(["title": .string(port.title), "version": .string(LarderVersion.current)]),
            "servers": .array([.object(["url": "/"])]),
            "security": .array([]),
            "paths": .object(paths),
            "components": .object(["schemas": .object(port.schemas), "responses": .object(shared.components)]),
        ]
    }

    private static func paths(
        _ port: PortDescription, _ places: [DescribedPlace], _ shared: inout SharedAnswers
    ) -> JSONObject {
        var paths = JSONObject()
        for place in places {
            var item = paths[place.pattern.description]?.object ?? [:]
            let parameters = place.description.parameters.filter { $0.place == .path }
            if !parameters.isEmpty { item["parameters"] = .array(parameters.map { .object($0.json) }) }
            for method in place.methods where item[key(of: method)] == nil {
                let operation = OperationObject(method: method, place: place, port: port)
                item[key(of: method)] = .object(operation.json(&shared))
            }
            paths[place.pattern.description] = .object(item)
        }
        return paths
    }

    private static func key(of method: HTTPMethod) -> String { "\(method)".lowercased() }
}
