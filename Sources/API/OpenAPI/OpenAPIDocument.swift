package import HTTPServer
package import JSON

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

/// What is the same for all routes of a port.
package struct PortDescription: Sendable {
    /// Which port it is.
    let title: String
    /// What descriptions of routes refer to, by names.
    let schemas: JSONObject
    /// What the port's server refuses by itself.
    let options: HTTPServerOptions
    /// Whether connections are encrypted, so that those of which there are too many get no answer.
    var isEncrypted = false
    /// Which pages may read the answers; nil where browsers have no business.
    var cors: HTTPCORS?

    package init(
        title: String, schemas: JSONObject, options: HTTPServerOptions, isEncrypted: Bool = false, cors: HTTPCORS? = nil
    ) {
        self.title = title
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
