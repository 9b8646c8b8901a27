import JSON

/// A document as its readers see it.
struct DocumentedPort {
    let json: JSONObject

    init(_ body: [UInt8]) throws {
        json = try JSONParser().parse(body).object ?? [:]
    }

    /// The schemas that others refer to.
    var checker: SchemaChecker { SchemaChecker(schemas: component("schemas")) }

    /// The paths.
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
