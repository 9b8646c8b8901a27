import Configuration
import Testing

@Suite("What rules see of a component's fields")
struct ComponentSettingsTests {
    private func outline(_ fields: String) throws -> ComponentOutline {
        try Checked("serve: { type: pipe, upstream: { type: mix, inputs: [] }\(fields) }").serve.outline
    }

    @Test("a value is the file's, or the default")
    func valuesAndDefaults() throws {
        let settings = try outline(", ttl: 5s, headers: { a: b }").settings
        #expect(settings.duration("ttl") == .seconds(5))
        #expect(settings.duration("grace") == .seconds(3600))
        #expect(settings.text("headers.a") == "b")
        #expect(settings.text("headers.c") == nil)
        #expect(settings.given("grace") == nil)
        #expect(settings.position(of: "ttl").column == 64)
    }

    @Test("ids are ways from the top, and all lists a shared component once")
    func idsAndAll() throws {
        let outline = try Checked(
            """
            tanks: { cellar: { type: barrel } }
            sources:
              well: { type: spring, tank: cellar }
            serve: { type: mix, inputs: [well, { type: pipe, upstream: well }] }
            """
        ).serve.outline
        #expect(outline.all.map(\.id) == ["serve", "sources.well", "tanks.cellar", "serve.inputs[1]"])
    }
}
