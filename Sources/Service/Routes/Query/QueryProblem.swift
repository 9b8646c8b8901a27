internal import HTTPServer

/// What is wrong with a query that could be decoded.
enum QueryProblem: HTTPResponseError, Sendable, Hashable, CustomStringConvertible {
    /// The route takes no such parameter.
    case unknown(String, known: [String])
    /// The parameter is there more than once.
    case repeated(String)
    /// The parameter's value is none of the words it may be; `nil` when it has none.
    case notAChoice(String, found: String?, choices: [String])

    /// For the client: it holds nothing but what the client sent and what the route takes.
    var description: String {
        switch self {
        case .unknown(let name, let known):
            "unknown query parameter \"\(name)\": this resource takes \(Self.list(known, "and"))"
        case .repeated(let name): "query parameter \"\(name)\" is given more than once"
        case .notAChoice(let name, let found, let choices):
            "query parameter \"\(name)\" may be \(Self.list(choices, "or"))"
                + (found.map { ", not \"\($0)\"" } ?? ", but has no value")
        }
    }

    /// A 400 that says which parameter is wrong, and what would be right.
    var response: HTTPResponse {
        ProblemDetails(status: .badRequest, detail: description, parameter: parameter).response()
    }

    private var parameter: String {
        switch self {
        case .unknown(let name, _), .repeated(let name), .notAChoice(let name, _, _): name
        }
    }

    /// As `"a", "b" and "c"`.
    private static func list(_ words: [String], _ conjunction: String) -> String {
        let quoted = words.map { "\"\($0)\"" }
        guard let last = quoted.last else { return "none" }
        let others = quoted.dropLast().joined(separator: ", ")
        return others.isEmpty ? last : "\(others) \(conjunction) \(last)"
    }
}
