internal import JSON

/// The places of our members in an upstream's items, for errors about rewritten items: the native decoder reports our
/// members, but the operator sees the upstream's.
struct ItemPlaces: Sendable {
    private let theirs: [String: PathAlternatives]

    init(_ mapping: CatalogueMapping) {
        var theirs = Dictionary(
            mapping.fields.map { ($0.ours.description, $0.theirs) }, uniquingKeysWith: { $1 })
        if case .path(let paths, _, _) = mapping.type { theirs[OwnForm.type] = paths }
        self.theirs = theirs
    }

    /// Returns the detail of a failure with the upstream's place after ours, and what is there instead of a missing value:
    /// `[7312].name (theirs: titel): missing; there are "id" and "title"; did you mean "title"?`.
    /// - Parameter item: nil to leave out what is there.
    func naming(_ detail: String, at index: Int, in item: JSONValue?) -> String {
        let start = "[\(index)]."
        guard detail.hasPrefix(start), let colon = detail.firstIndex(of: ":") else { return detail }
        let ours = detail[..<colon].dropFirst(start.count)
        guard let place = theirs[String(ours)] else { return detail }
        var problem = String(detail[colon...].dropFirst(2))
        if problem == "missing", let item, let reason = PathMatches.reason(place, in: item) { problem += "; \(reason)" }
        return ItemProblem(ours: String(ours), theirs: place.description, problem: problem).detail(at: index)
    }
}

/// The reason why an item cannot be a product: our member, the different place of its value in the upstream's item, and
/// the value found there.
struct ItemProblem: Error {
    let ours: String
    var theirs: String?
    let problem: String

    /// Returns the problem of the item at an index: `[7312].price.amount (theirs: variants.0.price): expected a number,
    /// …`.
    func detail(at index: Int) -> String {
        "[\(index)].\(ours)\(theirs.map { " (theirs: \($0))" } ?? ""): \(problem)"
    }
}
