import Testing

@testable import Configuration

struct AssemblyTests {
    @Test func `hooks run in reverse, so that what was made last is closed first`() async throws {
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

    @Test func `a shared component has its job once`() throws {
        let assembly = Assembly(resources: Checked.resources())
        _ = try Checked(GoodConfigTests.graph).make(assembly)
        #expect(assembly.backgroundJobs.map(\.name) == ["well", "spring", "spring"])
    }

    @Test func `resources are found by the type they were stored as`() {
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

    @Test func `what a component throws when it is made is thrown on`() throws {
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

@Suite(.timeLimit(.minutes(1)))
struct ShutdownHookTests {
    private func makeHook(
        _ name: String, of owner: String, height: Int = 0, _ close: @escaping @Sendable () async -> Void
    ) -> ShutdownHook {
        ShutdownHook(name: name, owner: owner, isTakenOver: false, close: close, height: height)
    }

    @Test func `components side by side are closed at the same time`() async {
        let (waits, go) = AsyncStream.makeStream(of: Never.self)
        let (done, end) = AsyncStream.makeStream(of: Never.self)
        await [
            makeHook("a", of: "a") {
                for await _ in waits {}
                end.finish()
            },
            makeHook("b", of: "b") {
                go.finish()
                for await _ in done {}
            },
        ].close()
    }

    @Test func `what is built on others is closed before those, and each component's hooks in their order`() async {
        let journal = Journal()
        let hooks = [("below", 0), ("above", 2), ("between", 1)].flatMap { owner, height in
            ["1", "2"].map { number in
                makeHook(number, of: owner, height: height) { await journal.note("\(owner) \(number)") }
            }
        }
        await hooks.close()
        #expect(
            await journal.entries == ["above 1", "above 2", "between 1", "between 2", "below 1", "below 2"])
    }
}
