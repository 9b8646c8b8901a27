internal import Configuration
internal import Products
internal import Providers
internal import TestSupport
internal import Testing

@testable internal import Wiring

struct GateProfileTests {
    private func rules(_ keys: String) throws -> CatalogueRules {
        let spec = ValidatedProductsProviderDecorator.spec
        let document = try ConfigDocument.parse("{ \(keys) }\n", file: "f", environment: [:])
        let (rules, problems) = ConfigurationCheck.reading(
            document.root, fields: spec.fields.filter { $0.name != "upstream" }, as: spec.type, RuleFields.rules)
        #expect(problems.filter { $0.severity == .error } == [], "\(keys)")
        return rules
    }

    /// The rows of the table of profiles in the page about configs.
    private static func rows() throws -> [(key: String, usual: String, strict: String)] {
        try Repository.text("Sources/larder/Larder.docc/Configuration.md")
            .matches(of: /\n\| `(\w+)` \| (none|`[^|]+`) \| (none|`[^|]+`) \| [^|]+ \|/)
            .map { row in
                func value(_ text: Substring) -> String { text.filter { $0 != "`" } }
                return (String(row.output.1), value(row.output.2), value(row.output.3))
            }
    }

    @Test func `a profile stands for the keys that the page lists of it, and for no others`() throws {
        let rows = try Self.rows()
        #expect(rows.count >= 8)
        func keys(_ value: KeyPath<(key: String, usual: String, strict: String), String>) -> String {
            rows.filter { $0[keyPath: value] != "none" }.map { "\($0.key): \($0[keyPath: value])" }.joined(
                separator: ", ")
        }
        #expect(try rules("") == rules(keys(\.usual)))
        #expect(try rules("profile: usual") == rules(""))
        #expect(try rules("profile: strict") == rules(keys(\.strict)))
        #expect(try rules("profile: strict") != rules("profile: usual"))
    }

    @Test(arguments: ["0.5", "1"])
    func `a key overrides the profile, also by the value that it has without one`(share: String) throws {
        var expected = try rules("profile: strict")
        expected.maxShrink = try rules("max_shrink: \(share)").maxShrink
        #expect(try rules("profile: strict, max_shrink: \(share)") == expected)
        #expect(try expected != rules("profile: strict"))
    }

    @Test func `a bound of the profile gives way to a tighter one without a warning, and a hold to another`() throws {
        let tight = try rules("profile: strict, max_removed: 0.05, hold: 5m, max_price_change: { factor: 9, share: 1 }")
        #expect(tight.limits.removed == 0.05 && tight.warnings.removed == 0.1)
        #expect(tight.hold == .seconds(300) && tight.limits.prices?.factor.description == "9")
        #expect(tight.warnings.prices?.factor.description == "1.5")
    }

    @Test func `a strict gate refuses and holds what the usual one lets pass`() throws {
        let (usual, strict) = (try rules(""), try rules("profile: strict"))
        #expect(usual.limits == ChangeBounds() && usual.warnings == ChangeBounds())
        #expect(strict.limits.removed == 0.2 && strict.warnings.removed == 0.1 && strict.warnings.growth == 0.5)
        #expect(strict.hold > usual.hold && strict.maxShrink < usual.maxShrink)
    }
}
