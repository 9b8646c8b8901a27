import JSON
import TestSupport

/// The OpenAPI document, as clients of it see it.
struct DocumentedPort {
    let json: JSONObject

    init(_ body: [UInt8]) throws {
        json = try JSONParser().parse(body).object ?? [:]
    }

    var checker: SchemaChecker { SchemaChecker(schemas: component("schemas")) }

    var paths: [String] { json["paths"]?.object?.keys ?? [] }

    /// Every method of every path.
    var operations: [DocumentedOperation] {
        (json["paths"]?.object?.members ?? []).flatMap { path in
            let item = path.value.object ?? [:]
            return item.members.filter { $0.key != "parameters" }.map { member in
                let common = item["parameters"]?.array ?? []
                let operation = member.value.object ?? [:]
                return DocumentedOperation(
                    method: member.key.uppercased(), path: path.key,
                    parameters: (common + (operation["parameters"]?.array ?? [])).compactMap(DocumentedParameter.init),
                    answers: answers(of: operation))
            }
        }
    }

    private func answers(of operation: JSONObject) -> [Int: JSONObject] {
        (operation["responses"]?.object?.members ?? []).reduce(into: [:]) { answers, member in
            guard let status = Int(member.key) else { return }
            answers[status] = resolved(member.value.object ?? [:])
        }
    }

    private func resolved(_ answer: JSONObject) -> JSONObject {
        guard let reference = answer["$ref"]?.string, let name = reference.split(separator: "/").last else {
            return answer
        }
        return component("responses")[String(name)]?.object ?? [:]
    }

    private func component(_ name: String) -> JSONObject {
        json["components"]?.object?[name]?.object ?? [:]
    }
}

/// One method of one path.
struct DocumentedOperation {
    let method: String
    let path: String
    let parameters: [DocumentedParameter]
    /// The response objects, by status.
    let answers: [Int: JSONObject]

    /// As `GET /products`.
    var name: String { "\(method) \(path)" }

    /// The header fields that responses of a status may have, in lower case.
    func fields(of status: Int) -> [(name: String, isAlwaysThere: Bool, schema: JSONValue?)] {
        (answers[status]?["headers"]?.object?.members ?? []).map { member in
            let field = member.value.object
            return (member.key.lowercased(), field?["required"]?.bool == true, field?["schema"])
        }
    }

    /// The schemas of the bodies of a status, by media type.
    func contents(of status: Int) -> [String: JSONValue?] {
        (answers[status]?["content"]?.object?.members ?? []).reduce(into: [:]) {
            $0[$1.key] = .some($1.value.object?["schema"])
        }
    }
}

/// A parameter of an operation.
struct DocumentedParameter {
    let name: String
    let place: String
    let schema: JSONObject
    let example: JSONValue?

    init?(_ json: JSONValue) {
        guard let object = json.object, let name = object["name"]?.string, let place = object["in"]?.string,
            let schema = object["schema"]?.object
        else { return nil }
        self.name = name
        self.place = place
        self.schema = schema
        example = object["example"]
    }

    /// The example as a request has it; nil without one.
    var written: String? { example.map(Self.text) }

    /// Values, as requests have them, that the schema does not allow.
    var malformed: [String] {
        let items = schema["items"]?.object
        switch schema["type"]?.string {
        case "integer":
            let bounds = [(schema["minimum"], -1), (schema["maximum"], 1)]
            return ["x", "1.5", ""] + bounds.compactMap { bound, step in bound?.number?.integer.map { "\($0 + step)" } }
        case "number": return ["x", "1,5", ""]
        case "boolean": return ["yes", "TRUE", ""]
        case "array": return items?["enum"] == nil ? ["a,,b", #"a\"#, ""] : ["nonsense", ""] + doubled
        default: return schema["enum"] == nil && schema["pattern"] == nil ? [""] : ["nonsense", ""]
        }
    }

    private var doubled: [String] {
        guard schema["uniqueItems"]?.bool == true, let example = example?.array?.first?.string else { return [] }
        return ["\(example),\(example)"]
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .array(let elements): elements.map(text).joined(separator: ",")
        case .string(let text): text
        case .number, .bool, .null, .object: "\(value)"
        }
    }
}
