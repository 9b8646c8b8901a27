package import HTTPServer
package import JSON

/// The OpenAPI description of the public port, made from the routes themselves.
struct OpenAPIDocument {
    /// The document.
    let json: JSONObject

    init(_ port: PortDescription, _ places: [DescribedPlace]) {
        var shared = SharedAnswers()
        let paths = Self.paths(port, places, &shared)
        json = [
            "openapi": "3.1.1",
            "info": .object(["title": "Larder", "version": .string(LarderVersion.current)]),
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

/// The properties that all routes of the public port share.
package struct PortDescription: Sendable {
    /// The schemas that descriptions of routes refer to, by name.
    let schemas: JSONObject
    /// The limits by which the server itself refuses requests.
    let options: HTTPServerOptions
    /// Whether connections are encrypted; then those beyond the limit are closed without a response.
    let isEncrypted: Bool
    /// The origins whose pages may read responses; nil where there is no CORS.
    let cors: HTTPCORS?

    package init(schemas: JSONObject, options: HTTPServerOptions, isEncrypted: Bool, cors: HTTPCORS?) {
        self.schemas = schemas
        self.options = options
        self.isEncrypted = isEncrypted
        self.cors = cors
    }
}

/// The response objects that many operations have, each once.
struct SharedAnswers {
    /// By their names in the document.
    private(set) var components = JSONObject()

    /// A reference to an object, which is taken in if it is not there yet.
    mutating func reference(to answer: JSONObject, named name: String) -> JSONObject {
        let key = key(of: answer, named: name)
        components[key] = .object(answer)
        return ["$ref": .string("#/components/responses/\(key)")]
    }

    private func key(of answer: JSONObject, named name: String) -> String {
        var (key, number) = (name, 1)
        while let other = components[key], other != .object(answer) {
            number += 1
            key = "\(name).\(number)"
        }
        return key
    }
}
