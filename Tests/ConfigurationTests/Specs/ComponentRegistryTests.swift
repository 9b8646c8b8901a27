import Configuration
import Testing

struct ComponentRegistryTests {
    @Test("families and types are listed in the order of registration")
    func familiesAndTypesAreListed() {
        let families = WaterWorks.registry.families
        #expect(families.map(\.noun) == ["source", "tank"])
        #expect(families.map(\.section) == ["sources", "tanks"])
        #expect(families[0].components.map(\.type) == ["spring", "pipe", "mix", "valve", "guarded"])
    }

    @Test("types are looked up with their fields, requirements and example")
    func typesAreLookedUp() throws {
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

    @Test(
        "a misspelt type is known by its neighbour in whatever family",
        arguments: [("barel", "barrel"), ("pip", "pipe")])
    func misspeltTypes(name: String, type: String) {
        #expect(WaterWorks.registry.type(closestTo: name) == type)
        #expect(WaterWorks.registry.type(closestTo: "waterfall") == nil)
    }

    @Test("a family may be registered in parts")
    func aFamilyMayBeRegisteredInParts() {
        var registry = ComponentRegistry()
        registry.register(SourceFamily.self, [WaterWorks.mix])
        registry.register(TankFamily.self, [WaterWorks.barrel])
        registry.register(SourceFamily.self, [WaterWorks.pipe])
        #expect(registry.families.map { $0.components.map(\.type) } == [["mix", "pipe"], ["barrel"]])
    }

    @Test(
        "the examples of the specs are good configs",
        arguments: WaterWorks.registry.families[0].components.map(\.example))
    func examplesAreGood(_ example: String) {
        let labels =
            "tanks: { cellar: { type: barrel } }\nsources: { well: { type: mix, inputs: [] }, a: well, b: well }\n"
        let problems = Checked.problems(labels + "serve: \(example)\n")
        #expect(problems.allSatisfy { $0.contains("is never used") })
    }
}
