import Configuration
import Testing

struct ComponentRegistryTests {
    @Test func `families and types are listed in the order of registration`() {
        let families = WaterWorks.registry.families
        #expect(families.map(\.noun) == ["source", "tank"])
        #expect(families.map(\.section) == ["sources", "tanks"])
        #expect(families[0].components.map(\.type) == ["spring", "pipe", "mix", "valve", "guarded"])
    }

    @Test func `types are looked up with their fields, requirements and example`() throws {
        let pipe = try #require(WaterWorks.registry.family(noun: "source")?.component(type: "pipe"))
        #expect(pipe.summary == "Leads on.")
        #expect(pipe.example == "{ type: pipe, upstream: well }")
        #expect(
            pipe.fields.map { "\($0.name): \($0.type)" } == [
                "upstream: source", "ttl: duration", "grace: duration", "mode: on_demand or background",
                "tags: list of string", "headers: mapping of string",
            ])
        #expect(pipe.fields.map(\.requirement).prefix(2) == [.required, .defaulted("30s")])
        #expect(WaterWorks.registry.family(section: "tanks")?.noun == "tank")
        #expect(WaterWorks.registry.families(withType: "barrel").map(\.noun) == ["tank"])
        #expect(WaterWorks.registry.family(noun: "pump")?.noun == nil)
    }

    @Test(arguments: [("barel", "barrel"), ("pip", "pipe")])
    func `a misspelt type is known by its neighbour in whatever family`(name: String, type: String) {
        #expect(WaterWorks.registry.type(closestTo: name) == type)
        #expect(WaterWorks.registry.type(closestTo: "waterfall") == nil)
    }

    @Test func `a family may be registered in parts`() {
        var registry = ComponentRegistry()
        registry.register(SourceFamily.self, [WaterWorks.mix])
        registry.register(TankFamily.self, [WaterWorks.barrel])
        registry.register(SourceFamily.self, [WaterWorks.pipe])
        #expect(registry.families.map { $0.components.map(\.type) } == [["mix", "pipe"], ["barrel"]])
    }

    @Test(arguments: WaterWorks.registry.families[0].components.map(\.example))
    func `the examples of the specs are good configs`(_ example: String) {
        let labels =
            "tanks: { cellar: { type: barrel } }\nsources: { well: { type: mix, inputs: [] }, a: well, b: well }\n"
        let problems = Checked.problems(labels + "serve: \(example)\n")
        #expect(problems.allSatisfy { $0.contains("is never used") })
    }
}

/// Mistakes in components, which no config can cause, stop the program.
struct ProgrammerErrorTests {
    @Test func `asking for a field that is not declared traps`() async {
        await #expect(processExitsWith: .failure) {
            let probe = try Probe("x: 1", [.optional("x", .integer, "X.")])
            _ = probe.reader.optionalInteger("y")
        }
    }

    @Test func `asking by the getter of another type traps`() async {
        await #expect(processExitsWith: .failure) {
            let probe = try Probe("x: 1", [.required("x", .integer, "X.")])
            _ = probe.reader.duration("x")
        }
    }

    @Test func `asking for an optional field as if it were always there traps`() async {
        await #expect(processExitsWith: .failure) {
            let probe = try Probe("x: 1", [.optional("x", .integer, "X.")])
            _ = probe.reader.integer("x")
        }
    }

    @Test func `a default that its own getter refuses traps`() async {
        await #expect(processExitsWith: .failure) {
            let probe = try Probe("y: 1", [.defaulted("x", .duration, "5 sec", "X."), .optional("y", .any, "Y.")])
            _ = probe.reader.duration("x")
        }
    }

    @Test func `a type that is registered twice traps`() async {
        await #expect(processExitsWith: .failure) {
            var registry = ComponentRegistry()
            registry.register(TankFamily.self, [WaterWorks.barrel])
            registry.register(TankFamily.self, [WaterWorks.barrel])
        }
    }

    @Test func `a resource that nobody provided traps`() async {
        await #expect(processExitsWith: .failure) {
            _ = Assembly(resources: ComponentResources()).resource(Int.self)
        }
    }
}
