import Configuration
import Testing

struct ReplacingTests {
    private static let yaml = """
        tanks: { cellar: { type: barrel } }
        sources:
          well: { type: spring, tank: cellar }
        serve: { type: pipe, upstream: well }
        """

    @Test func `what did not change, and whose family allows it, is taken over as it is`() throws {
        let first = Assembly(resources: Checked.resources())
        let old = try Checked(Self.yaml).make(first)
        let new = try Checked(Self.yaml).make(Assembly(resources: Checked.resources(), replacing: first))
        #expect(old !== new)
        #expect(old.inputs[0] !== new.inputs[0])
        #expect(old.inputs[0].tank === new.inputs[0].tank)
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

    @Test func `the same text in another place of the file is no change`() throws {
        let first = Assembly(resources: Checked.resources())
        let old = try Checked(Self.yaml).make(first)
        let new = try Checked("\n\n" + Self.yaml).make(Assembly(resources: Checked.resources(), replacing: first))
        #expect(old.inputs[0].tank === new.inputs[0].tank)
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
            #expect(assembly.shutdownHooks.map(\.isTakenOver) == [true, true, true, false])
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
}
