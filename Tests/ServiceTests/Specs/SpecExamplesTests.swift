import Configuration
import Testing

@testable import Service
@testable import Wiring

struct SpecExamplesTests {
    private static let http = "{ type: http, request: { base_url: \"https://shop.example\" } }"
    private static let environment = ["LARDER_TOKEN", "LARDER_PASSWORD", "LARDER_API_SECRET"]
        .reduce(into: [:]) { $0[$1] = "s3cret" }
    private static let examples = ComponentRegistry.everyFamily.families.flatMap { family in
        family.components.map { (family: family.noun, example: $0.example) }
    }

    @Test(arguments: examples)
    func `each alone makes a good config, without a warning`(family: String, example: String) throws {
        let config = try #require(Self.config(of: family, example))
        #expect(problems(config, environment: Self.environment) == [])
    }

    @Test(arguments: ProviderFamily.specs.map(\.example))
    func `every provider states how long it takes, once`(example: String) throws {
        let yaml = try ConfigDocument.parse(
            "serve: \(example)\n", file: "c.yaml", environment: Self.environment)
        let loaded = try LoadedConfiguration.check(yaml)
        #expect(loaded.root.outline.facts(ProviderTraits.self).count == 1)
    }

    @Test func `every type has a summary, and every field a meaning, on one line`() {
        for component in ComponentRegistry.everyFamily.families.flatMap(\.components) {
            #expect(!component.summary.isEmpty && !component.summary.contains("\n"))
            #expect(!component.example.contains("\n"))
            #expect(Self.fields(component.fields).allSatisfy { !$0.meaning.isEmpty && !$0.meaning.contains("\n") })
        }
    }

    private static func fields(_ fields: [FieldSpec]) -> [FieldSpec] {
        fields.flatMap { field -> [FieldSpec] in
            guard case .object(let inner) = field.type else { return [field] }
            return [field] + self.fields(inner)
        }
    }

    /// The smallest config in which a component of a family has a place.
    private static func config(of family: String, _ component: String) -> String? {
        switch family {
        case "provider": "serve: \(component)\n"
        case "store" where component.contains("type: redis"):
            "serve: { type: caching, store: \(component), "
                + "upstream: { type: validated, max_shrink: 1, upstream: \(http) } }\n"
        case "store": "serve: { type: stored, store: \(component) }\n"
        case "sink": "serve: { type: analytics, sink: \(component), event: asked, upstream: \(http) }\n"
        case "monitor":
            "serve: { type: reachability, monitor: \(component), remote: \(http), local: \(http) }\n"
        case "pagination", "auth":
            "serve: { type: http, \(family): \(component), request: { base_url: \"https://shop.example\" } }\n"
        default: nil
        }
    }
}
