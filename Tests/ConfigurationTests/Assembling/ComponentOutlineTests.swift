import Configuration
import Testing

@Suite("The outline of a component")
struct ComponentOutlineTests {
    @Test("keys from the environment are shown as they are written, in roles and in ways")
    func keysFromTheEnvironment() throws {
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

    @Test("no two components have the same way, whatever their keys look like")
    func waysOfDottedKeys() throws {
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
        let inputs = try checked.make().inputs
        let made = [inputs[0].inputs[0], inputs[1], inputs[2].inputs[0], inputs[3]]
        #expect(Set(made.map(ObjectIdentifier.init)).count == 4)
    }
}
