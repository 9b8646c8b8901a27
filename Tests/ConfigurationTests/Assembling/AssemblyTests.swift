import Configuration
import Testing

struct AssemblyTests {
    @Test("hooks run in reverse, so that what was made last is closed first")
    func hooksRunInReverse() async throws {
        let journal = Journal()
        let assembly = Assembly(resources: Checked.resources(journal: journal))
        let yaml = """
            sources:
              outer: { type: pipe, upstream: inner }
              inner: { type: pipe, upstream: { type: mix, inputs: [] } }
            serve: { type: pipe, upstream: outer }
            """
        _ = try Checked(yaml).make(assembly)
        #expect(assembly.shutdownHooks.map(\.name) == ["sources.inner", "sources.outer", "serve"])
        await assembly.shutDown()
        #expect(await journal.entries == ["serve", "sources.outer", "sources.inner"])
    }

    @Test("a shared component has its job once")
    func aSharedComponentHasItsJobOnce() throws {
        let assembly = Assembly(resources: Checked.resources())
        _ = try Checked(GoodConfigTests.graph).make(assembly)
        #expect(assembly.backgroundJobs.map(\.name) == ["well", "spring", "spring"])
    }

    @Test("resources are found by the type they were stored as")
    func resourcesAreFoundByType() {
        var resources = ComponentResources()
        resources.set(7)
        resources.set(8)
        resources.set("text")
        resources.set(ContinuousClock(), as: (any Clock<Duration>).self)
        #expect(resources.get(Int.self) == 8)
        #expect(resources.get(ContinuousClock.self) == nil)
        #expect(resources.get((any Clock<Duration>).self) is ContinuousClock)
        #expect(Assembly(resources: resources).resource(String.self) == "text")
    }

    @Test("what a component throws when it is made is thrown on")
    func whatAComponentThrowsIsThrownOn() throws {
        struct Leak: Error {}
        var registry = ComponentRegistry()
        registry.register(
            TankFamily.self,
            [
                ComponentSpec(type: "leaky", summary: "Leaks.", fields: [], example: "{ type: leaky }") { _ in
                    { _ in throw Leak() }
                }
            ])
        let document = try ConfigDocument.parse("serve: { type: leaky }", file: "c.yaml", environment: [:])
        let check = ConfigurationCheck(
            document: document, registry: registry, sections: [.required("serve", .component(TankFamily.self), "S.")])
        let plan = check.root.component("serve", TankFamily.self)
        #expect(try check.finish() == [])
        #expect(throws: Leak.self) { try plan.instantiate(in: Assembly(resources: ComponentResources())) }
    }
}
