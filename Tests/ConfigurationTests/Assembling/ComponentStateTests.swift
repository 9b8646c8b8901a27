import Configuration
import Testing

struct ComponentStateTests {
    private static let keeper = ComponentSpec<SourceFamily>(
        type: "keeper", summary: "Keeps a journal.",
        fields: [
            .required("upstream", .component(SourceFamily.self), "What it leads on."),
            .defaulted("ttl", .duration, "30s", "How long."),
        ], example: "{ type: keeper, upstream: well }"
    ) { reader in
        let upstream = reader.component("upstream", SourceFamily.self)
        _ = reader.duration("ttl")
        return { assembly in
            let input = try upstream.instantiate(in: assembly)
            let journal = assembly.state(ifUnchanged: assembly.resource(ComponentPart.self)) { Journal() }
            return Source("\(ObjectIdentifier(journal))", inputs: [input])
        }
    }

    private static let registry: ComponentRegistry = {
        var registry = ComponentRegistry()
        registry.register(SourceFamily.self, [keeper, WaterWorks.spring, WaterWorks.mix])
        registry.register(TankFamily.self, [WaterWorks.barrel])
        return registry
    }()

    private static let keeping = "serve: { type: keeper, upstream: { type: spring, flow: 3, tank: { type: barrel } } }"

    private static let labelled = "sources: { w: { type: mix, inputs: INPUTS } }\nserve: { type: keeper, upstream: w }"

    @Test(arguments: [
        (keeping, "\n\n" + keeping, [true, true, true]),
        (keeping, keeping.replacing("flow: 3", with: "flow: 4"), [true, true, false]),
        (keeping, keeping.replacing("barrel }", with: "barrel, size: 1MiB }"), [true, true, false]),
        (
            keeping, labelled.replacing("INPUTS", with: "[]"),
            [true, true, false]
        ),
        (keeping, keeping.replacing("keeper,", with: "keeper, ttl: 31s,"), [true, false, false]),
        (
            labelled.replacing("INPUTS", with: "[]"),
            labelled.replacing("INPUTS", with: "[{ type: mix, inputs: [] }]"),
            [true, true, false]
        ),
    ])
    func `it is found again as long as the part that it hangs on is as it was`(
        before: String, after: String, isKept: [Bool]
    ) throws {
        for (part, isKept) in zip([ComponentPart.type, .settings, .branch], isKept) {
            var resources = ComponentResources()
            resources.set(part)
            let first = Assembly(resources: resources)
            let old = try make(before, first)
            let second = Assembly(resources: resources, replacing: first)
            #expect((try make(after, second) == old) == isKept, "\(part)")
        }
    }

    /// The identity of the served source's journal, valid as long as the assembly.
    private func make(_ yaml: String, _ assembly: Assembly) throws -> String {
        let check = ConfigurationCheck(
            document: try ConfigDocument.parse(yaml, file: "c.yaml", environment: [:]), registry: Self.registry,
            sections: WaterWorks.sections)
        let plan = check.root.component("serve", SourceFamily.self)
        _ = check.root.object("http")
        _ = try check.finish()
        return try plan.instantiate(in: assembly).name
    }
}
