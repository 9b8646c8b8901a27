import Configuration

/// A config of the water works after its check.
struct Checked {
    let serve: ComponentPlan<SourceFamily>
    let warnings: [String]

    /// Checks `yaml`, and throws all its problems.
    init(_ yaml: String, environment: [String: String] = [:]) throws {
        let document = try ConfigDocument.parse(yaml, file: "c.yaml", environment: environment)
        let check = ConfigurationCheck(
            document: document, registry: WaterWorks.registry, sections: WaterWorks.sections)
        serve = check.root.component("serve", SourceFamily.self)
        let http = check.root.object("http")
        _ = http.address("listen")
        _ = http.object("limits").integer("connections", in: 1...)
        _ = http.object("limits").duration("idle_timeout")
        warnings = try check.finish().map(\.description)
    }

    /// The problems of `yaml`, one line each.
    static func problems(_ yaml: String, environment: [String: String] = [:]) -> [String] {
        do {
            return try Checked(yaml, environment: environment).warnings
        } catch let error as ConfigurationError {
            return error.diagnostics.map(\.description)
        } catch {
            return ["\(error)"]
        }
    }

    /// Makes the served source.
    func make(_ assembly: Assembly = Assembly(resources: resources())) throws -> Source {
        try serve.instantiate(in: assembly)
    }

    static func resources(journal: Journal = Journal()) -> ComponentResources {
        var resources = ComponentResources()
        resources.set(journal)
        return resources
    }
}
