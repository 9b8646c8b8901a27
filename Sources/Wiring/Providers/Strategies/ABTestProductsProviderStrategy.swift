internal import Analytics
internal import Concurrency
package import Configuration
package import Providers

extension ABTestProductsProviderStrategy {
    package static let spec = ComponentSpec<ProviderFamily>(
        type: "ab_test",
        summary: "a sticky split of subjects between a and b; answers vary by the subject",
        fields: [
            .required("experiment", .string, "the experiment's name; another name is another split"),
            .required("subject", .string, "the request header that tells the subject; requests without one get a"),
            .defaulted("share_a", .ratio, "0.5", "the share of subjects that get a; the others get b"),
            .required("a", .component(ProviderFamily.self), "the control"),
            .required("b", .component(ProviderFamily.self), "what is tried"),
            .optional(
                "sink", .component(SinkFamily.self),
                "where experiment_exposure goes, once per subject; no events when absent"),
        ],
        example: """
            { type: ab_test, experiment: new-prices, subject: X-User, share_a: 0.9, sink: { type: log }, \
            a: { type: http, request: { base_url: "http://shop.example" } }, \
            b: { type: http, request: { base_url: "http://new.shop.example" } } }
            """,
        facts: [ProviderTraits(passesAnswers: true) { $1.reduce(.zero, +) }],
        plan: { reader in
            let subject = reader.requestHeader("subject")
            let experiment = Experiment(
                name: reader.string("experiment"), header: subject, shareOfA: reader.ratio("share_a"))
            let a = reader.component("a", ProviderFamily.self)
            let b = reader.component("b", ProviderFamily.self)
            let sink = reader.optionalComponent("sink", SinkFamily.self)
            reader.state(experiment.variation)
            let name = reader.name
            return { assembly in
                ABTestProductsProviderStrategy(
                    name: name, experiment: experiment.name, subject: subject, shareOfA: experiment.shareOfA,
                    a: try a.instantiate(in: assembly), b: try b.instantiate(in: assembly),
                    sink: try sink?.instantiate(in: assembly), wallClock: assembly.resource(WallClock.self))
            }
        })
}
