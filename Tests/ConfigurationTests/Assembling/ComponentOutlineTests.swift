import Configuration
import Testing

struct ComponentOutlineTests {
    @Test func `keys from the environment are shown as they are written, in roles and in ways`() throws {
        let yaml = """
            serve:
              type: valve
              cases:
                "${KEY}": { type: spring, tank: { type: barrel } }
                "a${KEY:-x}": { type: mix, inputs: [] }
            """
        let outline = try Checked(yaml, environment: ["KEY": "s3cret"]).serve.outline
        #expect(outline.children.map(\.role) == ["cases.${KEY}", "cases.a${KEY:-x}"])
        #expect(
            outline.all.map(\.id) == [
                "serve", "serve.cases.${KEY}", "serve.cases.${KEY}.tank", "serve.cases.a${KEY:-x}",
            ])
    }

    @Test func `no two components have the same way, whatever their keys look like`() throws {
        let inner = "{ type: mix, inputs: [] }"
        let yaml = """
            serve:
              type: valve
              cases:
                a: { type: pipe, upstream: \(inner) }
                a.upstream: \(inner)
                'a\\': { type: pipe, upstream: \(inner) }
                'a\\.upstream': \(inner)
            """
        let checked = try Checked(yaml)
        #expect(
            checked.serve.outline.all.map(\.id) == [
                "serve", "serve.cases.a", "serve.cases.a.upstream", "serve.cases.a\\.upstream", "serve.cases.a\\\\",
                "serve.cases.a\\\\.upstream", "serve.cases.a\\\\\\.upstream",
            ])
        #expect(Set(checked.serve.outline.all.map(\.metricLabel)).count == 7)
        let inputs = try checked.make().inputs
        let made = [inputs[0].inputs[0], inputs[1], inputs[2].inputs[0], inputs[3]]
        #expect(Set(made.map(ObjectIdentifier.init)).count == 4)
    }
}

struct MetricLabelTests {
    @Test func `a component below upstream is named by its type, and a second one of the type by its whole way`() throws
    {
        let yaml = """
            serve:
              type: pipe
              upstream: { type: pipe, upstream: { type: pipe, upstream: { type: mix, inputs: [] } } }
            """
        let labels = try Checked(yaml).serve.outline.all.map(\.metricLabel)
        #expect(labels == ["serve", "serve.pipe", "serve.upstream.upstream", "serve.mix"])
    }
}

struct ComponentSettingsTests {
    private func outline(_ fields: String) throws -> ComponentOutline {
        try Checked("serve: { type: pipe, upstream: { type: mix, inputs: [] }\(fields) }").serve.outline
    }

    @Test func `a value is the file's, or the default`() throws {
        let settings = try outline(", ttl: 5s, headers: { a: b }").settings
        #expect(settings.duration("ttl") == .seconds(5))
        #expect(settings.duration("grace") == .seconds(3600))
        #expect(settings.text("headers.a") == "b")
        #expect(settings.text("headers.c") == nil)
        #expect(settings.given("grace") == nil)
        #expect(settings.position(of: "ttl").column == 64)
    }

    @Test func `ids are ways from the top, and all lists a shared component once`() throws {
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
