internal import FoundationEssentials
internal import HTTPServer
internal import JSON
internal import Products
internal import Tracing

/// Trait of handlers of the operators' port that answer with JSON, and read what an order is about from the query.
protocol OrderHandling: QueryReading {}

extension OrderHandling {
    /// A response that no cache keeps.
    func response(_ json: JSONObject, _ status: HTTPStatus = .ok) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
            body: HTTPBody(bytes: JSONValue.object(json).encoded()))
    }

    /// Records who gives the order, and why.
    func order(_ request: HTTPRequest, _ parameters: QueryParameters, at time: Date) throws -> OperatorOrder {
        OperatorOrder(at: time, by: "\(request.cause.id) from \(request.peer)", reason: try reason(parameters))
    }

    /// The reason that the operator gives: one line of text.
    func reason(_ parameters: QueryParameters) throws -> String? {
        guard let reason = try parameters.text("reason") else { return nil }
        let isLine = reason.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard isLine, reason.utf8.count <= 500 else {
            throw ProblemDetails(
                status: .badRequest, detail: "a reason is one line of at most 500 bytes", parameter: "reason")
        }
        return reason
    }

    /// The generation that the query names by `generation` or by `revision`.
    func target(_ parameters: QueryParameters) throws -> HistoryTarget {
        let (number, revision) = (try parameters.text("generation"), try parameters.text("revision"))
        switch (number, revision) {
        case (let number?, nil):
            guard let number = Int(number), number >= 0 else {
                throw ProblemDetails(
                    status: .badRequest, detail: "a generation is named by its number", parameter: "generation")
            }
            return .generation(number)
        case (nil, let revision?): return .revision(try digits(revision, "revision"))
        case (nil, nil), (.some, .some):
            throw ProblemDetails(
                status: .badRequest, detail: "one generation has to be named, by \"generation\" or by \"revision\"")
        }
    }

    /// The beginning of a revision: hexadecimal digits.
    func digits(_ revision: String, _ parameter: String) throws -> String {
        guard (4...64).contains(revision.utf8.count), revision.utf8.allSatisfy({ Self.isDigit($0) }) else {
            throw ProblemDetails(
                status: .badRequest, detail: "a revision is named by its first hexadecimal digits, four or more",
                parameter: parameter)
        }
        return revision.lowercased()
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}

extension ControlledHistory {
    /// The generation that a text names: its number, the beginning of its revision, or `newest`.
    func entry(_ text: String, _ digits: (String) throws -> String) async throws -> HistoryEntry {
        if text == "newest" { return try await entry(.newest) }
        if text.utf8.count < 10, let number = Int(text) { return try await entry(.generation(number)) }
        return try await entry(.revision(try digits(text)))
    }
}

/// The history of one store, with problems for operators.
struct ControlledHistory: Sendable {
    let store: String
    let history: any ProductsHistory

    init(_ found: GraphControls.Labelled<any ProductsHistory>) {
        (store, history) = (found.label, found.component)
    }

    func entries() async throws(OrderProblem) -> [HistoryEntry] {
        try await OrderProblem.reading(store) { () async throws(ProductsFailure) in try await history.history() }
    }

    func pin() async throws(OrderProblem) -> CataloguePin? {
        try await OrderProblem.reading(store) { () async throws(ProductsFailure) in try await history.currentPin() }
    }

    /// Finds a generation.
    func entry(_ target: HistoryTarget) async throws(OrderProblem) -> HistoryEntry {
        let entries = try await entries()
        let (found, name) =
            switch target {
            case .newest: (entries.first, "at all")
            case .generation(let number): (entries.first { $0.generation == number }, "\(number)")
            case .revision(let digits):
                (entries.first { $0.revision.hasPrefix(digits) }, "whose revision begins with \(digits)")
            }
        guard let found else { throw .noGeneration(name, store: store) }
        return found
    }

    /// Reads the catalogue of a generation, for a comparison.
    func side(_ entry: HistoryEntry) async throws(OrderProblem) -> DifferenceReport.Side {
        let snapshot = try await OrderProblem.reading(store, "\(entry.generation)") {
            () async throws(ProductsFailure) in
            try await history.snapshot(of: .generation(entry.generation))
        }
        return DifferenceReport.Side(catalogue: snapshot.catalogue, generation: entry.generation)
    }
}
