import JSON
import TestSupport

/// Holds an answer against its description.
struct AnswerCheck {
    /// The names of its fields, in lower case, without those that go with any message.
    let fields: Set<String>
    private let answer: RawResponse
    private let operation: DocumentedOperation
    private let checker: SchemaChecker
    private static let usual: Set = ["connection", "content-length", "content-type", "date"]

    init(_ answer: RawResponse, of operation: DocumentedOperation, checker: SchemaChecker) {
        fields = Set(answer.headers.keys).subtracting(Self.usual)
        self.answer = answer
        self.operation = operation
        self.checker = checker
    }

    /// What is not as described.
    var problems: [String] {
        guard operation.answers[answer.status] != nil else { return ["the status is not documented"] }
        return fieldProblems + bodyProblems
    }

    private var fieldProblems: [String] {
        let documented = operation.fields(of: answer.status)
        let unknown = fields.subtracting(documented.map(\.name)).sorted().map { "\($0) is not documented" }
        let lacking = documented.filter { $0.isAlwaysThere && !fields.contains($0.name) }.map {
            "\($0.name) is missing"
        }
        let malformed = documented.flatMap { field -> [String] in
            guard let text = answer.headers[field.name] else { return [] }
            return checker.faults(Self.value(text, field.schema), field.schema, at: field.name)
        }
        return unknown + lacking + malformed
    }

    private var bodyProblems: [String] {
        let contents = operation.contents(of: answer.status)
        guard !contents.isEmpty else { return answer.body.isEmpty ? [] : ["no body is documented"] }
        let type = String((answer.headers["content-type"] ?? "none").prefix { $0 != ";" })
        guard let schema = contents[type] else { return ["\(type) is not documented"] }
        if answer.headers["content-encoding"] == "gzip" {
            return answer.body.starts(with: [0x1F, 0x8B]) ? [] : ["the body is not in gzip"]
        }
        guard type.hasSuffix("json") else {
            return checker.faults(.string(String(decoding: answer.body, as: UTF8.self)), schema)
        }
        guard let body = try? JSONParser().parse(answer.body) else { return ["the body is no JSON"] }
        return checker.faults(body, schema)
    }

    private static func value(_ text: String, _ schema: JSONValue?) -> JSONValue {
        guard schema?.object?["type"] == "integer" else { return .string(text) }
        return JSONNumber(literal: text).map { .number($0) } ?? .string(text)
    }
}
