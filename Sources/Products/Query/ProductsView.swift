/// How products are shown when they are not shown as they are: the values of the query parameter `view`.
public enum ProductsView: String, CaseIterable, Sendable {
    /// As texts for a shop's page.
    case display
}
