/// How products are shown when they are not shown as they are: the values of the query parameter `view`.
enum ProductsView: String, CaseIterable, Sendable {
    /// As texts for a shop's page.
    case display

    /// The name of the query parameter.
    static let parameter = "view"
}
