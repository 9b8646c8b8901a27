internal import Text
/// The parameters of a query, each known to the route and given once.
///
/// Every kind of value is parsed by a method here, so that all errors have the same wording.
package struct QueryParameters: Sendable {
    static let none = QueryParameters()

    private var items: [HTTPQueryItem] = []

    private init() {}

    /// - Parameter known: the names of all parameters of the route.
    /// - Throws: the first problem in the order of the query.
    init(_ items: [HTTPQueryItem], known: [String]) throws(QueryProblem) {
        for item in items {
            guard known.contains(item.name) else { throw .unknown(item.name, known: known) }
            guard !self.items.contains(where: { $0.name == item.name }) else { throw .repeated(item.name) }
            self.items.append(item)
        }
    }

    /// One of a few words; nil if the parameter is absent.
    package func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, of type: Choice.Type
    ) throws(QueryProblem) -> Choice? {
        guard let item = items.first(where: { $0.name == name }) else { return nil }
        guard let choice = item.value.flatMap(Choice.init(rawValue:)) else {
            throw .notAChoice(name, found: item.value, choices: Choice.allCases.map(\.rawValue))
        }
        return choice
    }

    /// A whole number; nil if the parameter is absent.
    package func count(_ name: String, in allowed: ClosedRange<Int>) throws(QueryProblem) -> Int? {
        guard let text = try text(name) else { return nil }
        guard text.utf8.allSatisfy({ $0 &- 48 < 10 }), let count = Int(text), allowed.contains(count) else {
            throw .notACount(name, found: text, allowed: allowed)
        }
        return count
    }

    /// A text that is not empty; nil if the parameter is absent.
    package func text(_ name: String) throws(QueryProblem) -> String? {
        guard let item = items.first(where: { $0.name == name }) else { return nil }
        guard let value = item.value, !value.isEmpty else { throw .noValue(name) }
        return value
    }

    /// Whether a switch is `1`; off if it is `0` or absent.
    package func isOn(_ name: String) throws(QueryProblem) -> Bool { try choice(name, of: Switch.self) == .on }

    private enum Switch: String, CaseIterable {
        case off = "0"
        case on = "1"
    }
}

/// An error in a decoded query.
package enum QueryProblem: HTTPResponseError, Sendable, Hashable, CustomStringConvertible {
    /// The route has no such parameter.
    case unknown(String, known: [String])
    /// The parameter occurs more than once.
    case repeated(String)
    /// The parameter's value is not one of its choices; `nil` if it has none.
    case notAChoice(String, found: String?, choices: [String])
    /// The parameter's value is no whole number of a range.
    case notACount(String, found: String, allowed: ClosedRange<Int>)
    /// The parameter has no value, or an empty one.
    case noValue(String)

    /// Shown to the client: contains only what the client sent and what the route accepts.
    package var description: String {
        switch self {
        case .unknown(let name, let known):
            "unknown query parameter \"\(TextExcerpt(name))\": this resource takes "
                + WordList.enumeration(quoting: known)
        case .repeated(let name): "query parameter \"\(name)\" is given more than once"
        case .notAChoice(let name, let found, let choices):
            "query parameter \"\(name)\" may be \(WordList.alternatives(quoting: choices))"
                + (found.map { ", not \"\(TextExcerpt($0))\"" } ?? ", but has no value")
        case .notACount(let name, let found, let allowed):
            "query parameter \"\(name)\" must be a whole number from \(allowed.lowerBound) to \(allowed.upperBound), not "
                + "\"\(TextExcerpt(found))\""
        case .noValue(let name): "query parameter \"\(name)\" has no value"
        }
    }

    /// A 400 with the parameter that is wrong and the values that are right.
    package var response: HTTPResponse {
        ProblemDetails(status: .badRequest, detail: description, parameter: parameter).response()
    }

    private var parameter: String {
        switch self {
        case .unknown(let name, _), .repeated(let name), .notAChoice(let name, _, _), .notACount(let name, _, _),
            .noValue(let name):
            "\(TextExcerpt(name))"
        }
    }
}

/// Trait of handlers that parse the query of a request. Unknown parameters are errors, so that a misspelt filter is
/// noticed.
package protocol QueryReading: Sendable {}

extension QueryReading {
    /// The parameters of the query. Free for a request without a query, as most are.
    ///
    /// - Parameter known: the names of all parameters of the route.
    /// - Throws: `QueryProblem`, or `HTTPRequestError` when the query cannot be decoded.
    package func query(of request: HTTPRequest, taking known: [String]) throws -> QueryParameters {
        guard request.rawQuery != nil else { return .none }
        return try QueryParameters(request.queryItems, known: known)
    }
}
