@testable package import Concurrency
package import Configuration
package import Decoding
internal import Logging
package import Networking
internal import Providers
package import TestSupport
@testable package import Wiring

/// The resources of an assembly whose clock the test holds.
package func makeResources(
    _ log: LogRecorder = LogRecorder(), _ wallClock: WallClock = ManualWallClock().wallClock,
    client: HTTPClient? = nil
) -> ComponentResources {
    var resources = ComponentResources()
    resources.set(log.logger)
    resources.set(wallClock)
    resources.set(CatalogueSignal())
    if let client { resources.set(client) }
    return resources
}

/// The provider that a text of YAML describes, and the assembly it was made in.
package func makeProvider(
    _ yaml: String, resources: ComponentResources = makeResources(), replacing previous: Assembly? = nil,
    environment: [String: String] = [:]
) throws -> (provider: ProviderFamily.Instance, assembly: Assembly) {
    let plan = try makePlan("serve: p\nproviders:\n  p: \(yaml)\n", environment: environment)
    let assembly = Assembly(resources: resources, replacing: previous)
    return (try plan.instantiate(in: assembly), assembly)
}

/// The outline of the provider that a text of YAML describes, which has no label.
package func makeOutline(_ yaml: String) throws -> ComponentOutline {
    try makePlan("serve: \(yaml)\n").outline
}

private func makePlan(_ config: String, environment: [String: String] = [:]) throws -> ComponentPlan<ProviderFamily> {
    let check = try makeCheck(
        config, [.required("serve", .component(ProviderFamily.self), "The provider under test.")],
        environment: environment)
    let plan = check.root.component("serve", ProviderFamily.self)
    _ = try check.finish()
    return plan
}

/// The decoder that a `decode:` mapping describes.
package func makeDecoder(_ yaml: String) throws -> any CatalogueDecoder {
    let check = try makeCheck("decode: \(yaml)\n")
    let decoder = CatalogueFormats.decoder(check.root, "decode")
    _ = try check.finish()
    return decoder
}

private func makeCheck(
    _ yaml: String, _ sections: [FieldSpec] = [], environment: [String: String] = [:]
) throws(ConfigurationError) -> ConfigurationCheck {
    ConfigurationCheck(
        document: try ConfigDocument.parse(yaml, file: "f", environment: environment), registry: .everyFamily,
        sections: [
            .optional("decode", .object(CatalogueMapping.fields), "The mapping under test.")
        ] + sections)
}
