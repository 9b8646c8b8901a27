import JSON

/// What can be asked beside a path, as a document describes it.
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

    /// The example as a request has it, unless there is none.
    var written: String? { example.map(Self.text) }

    /// What the schema does not allow, as requests would have it.
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
