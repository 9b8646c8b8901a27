internal import Analytics
internal import Concurrency
package import Configuration
internal import Products
package import Providers

extension ABTestProductsProviderStrategy {
    package static let spec = ComponentSpec<ProviderFamily>(
        type: "ab_test",
        summary: "a sticky split of subjects between a and b; answers vary by the subject",
        fields: [
            .required("experiment", .string, "the experiment's name; another name is another split"),
            .optional(
                "subject", .string,
                "the request header that tells the subject; requests without one get a; required without arm"),
            .defaulted("share_a", .ratio, "0.5", "the share of subjects that get a; the others get b"),
            .optional(
                "arm", .string,
                "the request header in which an outside service tells the arm, a or b, instead of a split by subject"),
            .required("a", .component(ProviderFamily.self), "the control"),
            .required("b", .component(ProviderFamily.self), "what is tried"),
            .defaulted(
                "failover", .boolean, "false",
                "whether the other arm answers when the own one fails, which contaminates the experiment"),
            .optional(
                "sink", .component(SinkFamily.self),
                "where experiment_exposure goes, once per subject; no events when absent"),
        ],
        example: """
            { type: ab_test, experiment: new-prices, subject: X-User, share_a: 0.9, sink: { type: log }, \
            a: { type: http, request: { base_url: "http://shop.example" } }, \
            b: { type: http, request: { base_url: "http://new.shop.example" } } }
            """,
        facts: [
            ProviderTraits(passesEvery: { _ in true }) { settings, below in
                settings.text("failover") == "true" ? below.reduce(.zero, +) : below.max() ?? .zero
            }
        ],
        plan: { reader in
            let arms = Arms(
                a: reader.component("a", ProviderFamily.self), b: reader.component("b", ProviderFamily.self))
            let (name, failover) = (reader.name, reader.boolean("failover"))
            let sink = reader.optionalComponent("sink", SinkFamily.self)
            let experiment = reader.string("experiment")
            let share = reader.ratio("share_a")
            let subject = reader.has("subject") ? reader.requestHeader("subject") : ""
            checkDecision(reader)
            if reader.has("arm") {
                let decision = HeaderABTestDecision(experiment: experiment, header: reader.requestHeader("arm"))
                reader.state(decision.variation)
                return { assembly in
                    let (a, b) = try arms.instantiate(in: assembly)
                    return ABTestProductsProviderStrategy(
                        name: name, decision: decision, a: a, b: b, failover: failover)
                }
            }
            let split = Experiment(name: experiment, header: subject, shareOfA: share)
            if !subject.isEmpty { reader.state(split.variation) }
            return { assembly in
                let (a, b) = try arms.instantiate(in: assembly)
                let sink = try sink?.instantiate(in: assembly)
                let exposed = { (provider: any ProductsProvider, arm: ABTestArm) -> any ProductsProvider in
                    guard let sink else { return provider }
                    return ExposureProductsProviderDecorator(
                        upstream: provider, arm: arm, of: split, sink: sink,
                        wallClock: assembly.resource(WallClock.self))
                }
                return ABTestProductsProviderStrategy(
                    name: name, decision: split, a: exposed(a, .a), b: exposed(b, .b), failover: failover)
            }
        })

    /// Reports an error unless exactly one way to decide is configured, without settings of the other.
    private static func checkDecision(_ reader: FieldReader) {
        guard reader.has("arm") else {
            if !reader.has("subject") {
                reader.report(.error, at: nil, "missing \"subject\" or \"arm\" in \"ab_test\"")
            }
            return
        }
        for field in ["subject", "share_a", "sink"] where reader.has(field) {
            reader.report(
                .error, at: field, "\"\(field)\" is of a split by subject, and the header of \"arm\" decides here")
        }
    }

    /// The providers of both arms.
    private struct Arms {
        let a: ComponentPlan<ProviderFamily>
        let b: ComponentPlan<ProviderFamily>

        func instantiate(in assembly: Assembly) throws -> (any ProductsProvider, any ProductsProvider) {
            (try a.instantiate(in: assembly), try b.instantiate(in: assembly))
        }
    }
}
