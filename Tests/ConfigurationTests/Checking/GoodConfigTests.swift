@testable import Configuration
import Testing

struct GoodConfigTests {
    static let graph = """
        tanks:
          cellar: { type: barrel, size: 1MiB }
        sources:
          well: { type: spring, tank: cellar }
          main:
            type: mix
            inputs:
              - well
              - type: pipe
                upstream: well
              - type: valve
                cases: { open: { type: spring, tank: cellar }, shut: well }
                otherwise: { type: spring, tank: { type: barrel } }
        serve: main
        """

    @Test func `references may go forwards and backwards, and a good config has no warnings`() throws {
        #expect(Checked.problems(Self.graph) == [])
        #expect(Checked.problems("serve: a\nsources: { a: b, b: { type: mix, inputs: [] } }") == [])
    }

    @Test func `a labelled component is made once, one without a label wherever it stands`() throws {
        let main = try Checked(Self.graph).make()
        let well = main.inputs[0]
        let valve = main.inputs[2]
        #expect(main.inputs[1].inputs[0] === well)
        #expect(valve.inputs[1] === well)
        #expect(valve.inputs[0] !== well)
        #expect(valve.inputs[0].tank === well.tank)
        #expect(valve.inputs[2].tank !== well.tank)
        #expect(well.tank?.size == 1 << 20)
        #expect(valve.inputs[2].tank?.size == 16_384)
    }

    @Test func `two assemblies share nothing`() throws {
        let checked = try Checked(Self.graph)
        #expect(try checked.make().inputs[0] !== checked.make().inputs[0])
    }

    @Test func `components know their label, or their type where they have none`() throws {
        let main = try Checked(Self.graph).make()
        #expect(main.name == "main")
        #expect(main.inputs[0].name == "well")
        #expect(main.inputs[1].name == "sources.main.inputs[1]")
        #expect(main.inputs[2].name == "valve")
        #expect(main.inputs[2].inputs[0].name == "spring")
    }

    @Test func `the outline shows the graph with roles and references`() throws {
        let outline = try Checked(Self.graph).serve.outline
        #expect(
            lines(outline) == [
                "source main",
                "  inputs[0] → source well", "    tank → tank cellar",
                "  inputs[1]: source pipe", "    upstream → source well", "      tank → tank cellar",
                "  inputs[2]: source valve", "    cases.open: source spring", "      tank → tank cellar",
                "    cases.shut → source well", "      tank → tank cellar",
                "    otherwise: source spring", "      tank: tank barrel",
            ])
        #expect(outline.position == SourcePosition(file: "c.yaml", line: 6, column: 5))
        #expect(outline.label == "main")
        #expect(outline.type == "mix")
    }

    @Test func `labels of two families do not collide`() {
        let yaml = "tanks: { x: { type: barrel } }\nsources: { x: { type: spring, tank: x } }\nserve: x"
        #expect(Checked.problems(yaml) == [])
    }

    @Test func `sections may be absent or empty, and labels may come from the environment`() {
        let yaml = "http:\ntanks:\nsources: { ${A}: { type: mix, inputs: [] } }\nserve: ${B:-well}"
        #expect(Checked.problems(yaml.replacing("${A}", with: "\"${A}\""), environment: ["A": "well"]) == [])
    }

    private func lines(_ outline: ComponentOutline, _ indent: String = "") -> [String] {
        let children = outline.children.flatMap { child in
            let inner = lines(child.outline, indent + "  ")
            let sign = child.isReference ? " →" : ":"
            return ["\(indent)  \(child.role)\(sign) \(inner[0].drop { $0 == " " })"] + inner.dropFirst()
        }
        return ["\(indent)\(outline.family) \(outline.name)"] + children
    }
}
