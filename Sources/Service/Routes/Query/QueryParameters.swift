internal import HTTPServer

/// The parameters of a query, each known to the route and there once.
///
/// Every kind of value that parameters have is read by a method here, so that all are refused in the same words.
struct QueryParameters: Sendable {
    /// No parameters.
    static let none = QueryParameters()

    private var items: [HTTPQueryItem] = []

    private init() {}

    /// - Parameter known: the names of all the parameters that the route takes.
    /// - Throws: the first problem in the order of the query.
    init(_ items: [HTTPQueryItem], known: [String]) throws(QueryProblem) {
        for item in items {
            guard known.contains(item.name) else { throw .unknown(item.name, known: known) }
            guard !self.items.contains(where: { $0.name == item.name }) else { throw .repeated(item.name) }
            self.items.append(item)
        }
    }

    /// One of a few words; nil when the parameter is not there.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, of type: Choice.Type
    ) throws(QueryProblem) -> Choice? {
        guard let item = items.first(where: { $0.name == name }) else { return nil }
        guard let choice = item.value.flatMap(Choice.init(rawValue:)) else {
            throw .notAChoice(name, found: item.value, choices: Choice.allCases.map(\.rawValue))
        }
        return choice
    }
}
