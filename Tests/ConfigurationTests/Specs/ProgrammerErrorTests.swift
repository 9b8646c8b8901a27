import Configuration
import Testing

/// Mistakes in components, which no config can cause, stop the program.
struct ProgrammerErrorTests {
    @Test("asking for a field that is not declared traps")
    func undeclared() async {
        await #expect(processExitsWith: .failure) {
            let probe = try Probe("x: 1", [.optional("x", .integer, "X.")])
            _ = probe.reader.optionalInteger("y")
        }
    }

    @Test("asking by the getter of another type traps")
    func wrongType() async {
        await #expect(processExitsWith: .failure) {
            let probe = try Probe("x: 1", [.required("x", .integer, "X.")])
            _ = probe.reader.duration("x")
        }
    }

    @Test("asking for an optional field as if it were always there traps")
    func optionalAsRequired() async {
        await #expect(processExitsWith: .failure) {
            let probe = try Probe("x: 1", [.optional("x", .integer, "X.")])
            _ = probe.reader.integer("x")
        }
    }

    @Test("a default that its own getter refuses traps")
    func badDefault() async {
        await #expect(processExitsWith: .failure) {
            let probe = try Probe("y: 1", [.defaulted("x", .duration, "5 sec", "X."), .optional("y", .any, "Y.")])
            _ = probe.reader.duration("x")
        }
    }

    @Test("a type that is registered twice traps")
    func registeredTwice() async {
        await #expect(processExitsWith: .failure) {
            var registry = ComponentRegistry()
            registry.register(TankFamily.self, [WaterWorks.barrel])
            registry.register(TankFamily.self, [WaterWorks.barrel])
        }
    }

    @Test("a resource that nobody provided traps")
    func absentResource() async {
        await #expect(processExitsWith: .failure) {
            _ = Assembly(resources: ComponentResources()).resource(Int.self)
        }
    }
}
