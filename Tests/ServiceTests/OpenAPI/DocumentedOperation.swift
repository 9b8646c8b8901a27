import JSON

/// One method of one path, as a document describes it.
struct DocumentedOperation {
    let method: String
    let path: String
    let parameters: [DocumentedParameter]
    /// The response objects, by status.
    let answers: [Int: JSONObject]

    /// As `GET /products`.
    var name: String { "\(method) \(path)" }

    /// The fields that answers of a status may have, in lower case.
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
