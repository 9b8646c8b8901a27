/// A dependence of answers on a request header.
///
/// A header has any number of values but few variants: `audience` has one for each case, `ab_test` one for each arm. A
/// provider that keeps answers keeps one for each variant.
package struct RequestVariation: Sendable {
    /// The header's name, in lower case.
    package let header: String
    /// Tells rules apart that divide the same header into the same variants, such as an experiment's name.
    package let rule: String
    /// All variants. Kept answers survive a reload only if header, rule and variants are unchanged: anything else divides
    /// the requests differently.
    package let variants: [String]
    /// Maps a value to one of `variants`; nil stands for a request without the header.
    package let variant: @Sendable (String?) -> String

    /// A variation by a header, whose name may be in any case.
    package init(
        header: String, rule: String, variants: [String], variant: @escaping @Sendable (String?) -> String
    ) {
        self.header = header.lowercased()
        self.rule = rule
        self.variants = variants
        self.variant = variant
    }
}
