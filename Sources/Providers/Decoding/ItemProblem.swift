internal import Products

/// Why an item cannot be a product: our member, the place of its value in their item where it is another, and what was
/// found there.
struct ItemProblem: Error {
    let ours: String
    var theirs: String?
    let problem: String

    /// The problem of the item at an index, as `[7312].price.amount (theirs: variants.0.price): expected a number, …`.
    func detail(at index: Int) -> String {
        "[\(index)].\(ours)\(theirs.map { " (theirs: \($0))" } ?? ""): \(problem)"
    }
}
