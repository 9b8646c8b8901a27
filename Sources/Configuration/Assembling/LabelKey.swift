/// A label within its section.
struct LabelKey: Sendable, Hashable {
    let section: String
    let label: String
}
