@testable import Configuration
import Testing

@testable import Analytics
@testable import Networking
@testable import Persistence
@testable import Providers
@testable import Service
@testable import Wiring

struct SpecFieldsTests {
    @Test func `every declared field of every component is read`() throws {
        #expect(try unread(StoreFamily.specs) == [])
        #expect(try unread(SinkFamily.specs) == [])
        #expect(try unread(MonitorFamily.specs) == [])
        #expect(try unread(PaginationFamily.specs) == [])
        #expect(try unread(AuthFamily.specs) == [])
        #expect(try unread(ProviderFamily.specs) == [])
    }

    @Test func `no family is left out here`() {
        let known = ["stores", "analytics", "monitors", "paginations", "auths", "providers"]
        #expect(ComponentRegistry.everyFamily.families.map(\.section) == known)
    }

    @Test func `every field of the service's sections is read`() throws {
        let fields = ServiceConfiguration.fields.filter { $0.name != "serve" }
        let reader = try EveryField.reader(fields)
        _ = ServiceConfiguration(reader)
        #expect(EveryField.unread(reader) == [])
    }

    @Test func `a field that is declared and not read would be found`() throws {
        let spec = ComponentSpec<StoreFamily>(
            type: "forgetful", summary: "reads one of its two fields",
            fields: [
                .optional("read", .integer, "is read"),
                .optional("inner", .object([.optional("forgotten", .string, "is not read")]), "is read in part"),
            ], example: "{ type: forgetful }",
            plan: { reader in
                _ = reader.optionalInteger("read")
                _ = reader.object("inner")
                return { _ in preconditionFailure("only read here") }
            })
        #expect(try unread([spec]) == ["forgetful.inner.forgotten"])
    }

    private func unread<F: ComponentFamily>(_ specs: [ComponentSpec<F>]) throws -> [String] {
        try specs.flatMap { spec in
            let reader = try EveryField.reader(spec.fields, what: spec.type)
            _ = spec.plan(reader)
            return EveryField.unread(reader)
        }
    }
}
