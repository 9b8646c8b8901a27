/// What a shop's page shows of one product, decided by the product's kind.
///
/// Each kind has one conforming type, and no member has a default implementation. What kinds share is a
/// ``ProductDisplayDefaults``, which each reads where it chooses to, so a new member must be thought about for every
/// kind. The texts are in English, those that come from the source in the source's language.
public protocol ProductDisplayable: Sendable {
    /// The heading.
    var title: String { get }
    /// One line below the heading.
    var subtitle: String? { get }
    /// What it costs, in the form `19.99 EUR`.
    var priceLabel: String { get }
    /// Where a picture is.
    var image: String? { get }
    /// A word or two that stand out.
    var badge: String? { get }
    /// One line about what it is.
    var summary: String? { get }
    /// Whether it can be put into a basket as it stands, with nothing left to choose or to find out.
    var isSelectable: Bool { get }
}
