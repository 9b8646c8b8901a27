internal import JSON

/// Where our members are in somebody else's items, for what the decoder of our own form finds wrong with a rewritten
/// one: it knows our members only, but it is theirs that the operator can look at.
struct ItemPlaces: Sendable {
    private let theirs: [String: String]

    init(_ mapping: CatalogueMapping) {
        var theirs = Dictionary(
            mapping.fields.map { ($0.ours.description, $0.theirs.description) }, uniquingKeysWith: { $1 })
        if case .path(let paths, _, _) = mapping.type { theirs[OwnForm.type] = paths.description }
        self.theirs = theirs
    }

    /// The detail of a failure, with the place in their item after ours: `[7312].name (theirs: title): missing`.
    func naming(_ detail: String, at index: Int) -> String {
        let start = "[\(index)]."
        guard detail.hasPrefix(start), let colon = detail.firstIndex(of: ":") else { return detail }
        let ours = detail[..<colon].dropFirst(start.count)
        guard let place = theirs[String(ours)] else { return detail }
        return ItemProblem(
            ours: String(ours), theirs: place, problem: String(detail[colon...].dropFirst(2))
        ).detail(at: index)
    }
}
