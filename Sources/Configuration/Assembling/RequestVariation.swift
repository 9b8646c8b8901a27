/// How a component's answers vary by a request header.
///
/// A header has any number of values, its variants are few: `audience` has one for each of its cases, `ab_test` one for
/// each arm. Whoever keeps answers for such a component keeps one for each variant.
public struct RequestVariation: Sendable {
    /// The header's name, in lower case.
    public let header: String
    /// What tells the rule from others by which the same header has the same variants, such as an experiment's name.
    public let rule: String
    /// All the variants there are. A reload that leaves header, rule and variants as they were lets answers be kept;
    /// anything else is another division of the same requests.
    public let variants: [String]
    /// The variant that a value leads to, one of `variants`; nil stands for a request without the header.
    public let variant: @Sendable (String?) -> String

    /// A variation by a header, whose name may be in any case.
    public init(
        header: String, rule: String, variants: [String], variant: @escaping @Sendable (String?) -> String
    ) {
        self.header = header.lowercased()
        self.rule = rule
        self.variants = variants
        self.variant = variant
    }
}
