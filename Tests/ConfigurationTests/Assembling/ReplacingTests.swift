import Configuration
import Testing

struct ReplacingTests {
    private static let yaml = """
        tanks: { cellar: { type: barrel } }
        sources:
          well: { type: spring, tank: cellar }
        serve: { type: pipe, upstream: well }
        """

    @Test(arguments: ["", "\n\n"])
    func `what did not change is taken over as it is, wherever it stands in the file`(before: String) throws {
        let first = Assembly(resources: Checked.resources())
        let old = try Checked(Self.yaml).make(first)
        let new = try Checked(before + Self.yaml).make(Assembly(resources: Checked.resources(), replacing: first))
        #expect(old === new)
    }

    @Test func `what is built on something that changed is made anew around the rest`() throws {
        let yaml =
            "tanks: { cellar: { type: barrel } }\nserve: { type: mix, inputs: [FIRST, { type: spring, tank: cellar }] }"
        let first = Assembly(resources: Checked.resources())
        let old = try Checked(yaml.replacing("FIRST", with: "{ type: spring, tank: cellar }")).make(first)
        let new = try Checked(yaml.replacing("FIRST", with: "{ type: spring, flow: 4, tank: cellar }")).make(
            Assembly(resources: Checked.resources(), replacing: first))
        #expect(old !== new)
        #expect(old.inputs[0] !== new.inputs[0])
        #expect(old.inputs[0].tank === new.inputs[0].tank)
        #expect(old.inputs[1] === new.inputs[1])
    }

    @Test(arguments: [
        Self.yaml.replacing("barrel }", with: "barrel, size: 1MiB }"),
        Self.yaml.replacing("cellar", with: "attic"),
    ])
    func `what changed is made anew`(yaml: String) throws {
        let first = Assembly(resources: Checked.resources())
        let old = try Checked(Self.yaml).make(first)
        let new = try Checked(yaml).make(Assembly(resources: Checked.resources(), replacing: first))
        #expect(old.inputs[0].tank !== new.inputs[0].tank)
    }

    @Test
    func
        `what is taken over brings along all that it is built on, in the order of before, and all their jobs and hooks`()
        throws
    {
        let yaml = """
            tanks: { spare: { type: cistern, tank: { type: barrel } } }
            sources: { well: { type: spring, tank: { type: cistern, tank: { type: cistern, tank: spare } } } }
            serve: { type: pipe, upstream: well }
            """
        let owners = ["tanks.spare", "sources.well.tank.tank", "sources.well.tank"]
        var assembly = Assembly(resources: Checked.resources())
        let old = try Checked(yaml).make(assembly)
        #expect(assembly.shutdownHooks.map(\.owner) == owners + ["serve"])
        #expect(assembly.shutdownHooks.allSatisfy { !$0.isTakenOver })
        for _ in 0..<2 {
            assembly = Assembly(resources: Checked.resources(), replacing: assembly)
            let new = try Checked(yaml).make(assembly)
            #expect(old.inputs[0].tank === new.inputs[0].tank)
            #expect(assembly.shutdownHooks.map(\.owner) == owners + ["serve"])
            #expect(assembly.shutdownHooks.map(\.isTakenOver) == [true, true, true, true])
            #expect(
                Set(assembly.backgroundJobs.map { "\($0.owner) \($0.isTakenOver)" }).isSuperset(
                    of: owners.map { "\($0) true" }))
            #expect(assembly.backgroundJobs.count == 4)
        }
    }

    @Test func `what is taken over and referred to elsewhere is the same there`() throws {
        let tanks = "tanks: { deep: { type: cistern, tank: { type: barrel } }, top: { type: cistern, tank: deep } }\n"
        let source = "{ type: spring, tank: top }"
        let first = Assembly(resources: Checked.resources())
        _ = try Checked(tanks + "serve: \(source)").make(first)
        let second = Assembly(resources: Checked.resources(), replacing: first)
        let new = try Checked(tanks + "serve: { type: mix, inputs: [\(source), { type: spring, tank: deep }] }").make(
            second)
        #expect(new.inputs[0].tank?.inlet === new.inputs[1].tank)
        #expect(second.shutdownHooks.map(\.owner) == ["tanks.deep", "tanks.top"])
    }

    @Test func `jobs belong to components and say whether they run already`() throws {
        let first = Assembly(resources: Checked.resources())
        _ = try Checked(Self.yaml).make(first)
        #expect(first.backgroundJobs.map(\.owner) == ["sources.well"])
        #expect(first.backgroundJobs.map(\.isTakenOver) == [false])
        #expect(first.shutdownHooks.map(\.owner) == ["serve"])
    }

    private static let keeping = "serve: { type: keeper, upstream: { type: spring, flow: 3, tank: { type: barrel } } }"

    @Test(arguments: [
        (keeping, ["kept", "same"]), (keeping.replacing("keeper,", with: "keeper, ttl: 31s,"), ["kept", "same"]),
        (keeping.replacing("flow: 3", with: "flow: 4"), ["kept", "other"]),
        (keeping.replacing("barrel }", with: "barrel, size: 1MiB }"), ["kept", "other"]),
        (keeping.replacing("serve:", with: "sources: { k:") + " }\nserve: k", ["new", "same"]),
    ])
    func `what changed may go on with the state of what it replaces, and is told whether that was built on the same`(
        yaml: String, expected: [String]
    ) throws {
        let first = Assembly(resources: Checked.resources())
        let old = try keeper(Self.keeping, first)
        let new = try keeper(yaml, Assembly(resources: Checked.resources(), replacing: first))
        #expect([new[0] == old[0] ? "kept" : "new", new[1]] == expected)
    }

    /// What tells the state of the served keeper, which is there as long as the assembly, and what it is built on.
    private func keeper(_ yaml: String, _ assembly: Assembly) throws -> [String] {
        final class Journal: Sendable {}
        let spec = ComponentSpec<SourceFamily>(
            type: "keeper", summary: "Keeps a journal.",
            fields: [
                .required("upstream", .component(SourceFamily.self), "What it leads on."),
                .defaulted("ttl", .duration, "30s", "How long."),
            ], example: "{ type: keeper, upstream: well }"
        ) { reader in
            let upstream = reader.component("upstream", SourceFamily.self)
            _ = reader.duration("ttl")
            return { assembly in
                let journal: Journal = assembly.state { $0 ?? Journal() }
                let below = assembly.isBuiltOnTheSame ? "same" : "other"
                return Source("\(ObjectIdentifier(journal)) \(below)", inputs: [try upstream.instantiate(in: assembly)])
            }
        }
        var registry = ComponentRegistry()
        registry.register(SourceFamily.self, [spec, WaterWorks.spring, WaterWorks.mix])
        registry.register(TankFamily.self, [WaterWorks.barrel])
        let check = ConfigurationCheck(
            document: try ConfigDocument.parse(yaml, file: "c.yaml", environment: [:]), registry: registry,
            sections: WaterWorks.sections)
        let plan = check.root.component("serve", SourceFamily.self)
        _ = check.root.object("http")
        _ = try check.finish()
        return try plan.instantiate(in: assembly).name.split(separator: " ").map(String.init)
    }
}
