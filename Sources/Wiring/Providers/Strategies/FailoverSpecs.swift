package import Configuration
internal import Networking
package import Providers

extension FallbackProductsProviderStrategy {
    package static let spec = ComponentSpec<ProviderFamily>(
        type: "fallback",
        summary: "primary; if it throws, secondary",
        fields: [
            .required("primary", .component(ProviderFamily.self), "asked first"),
            .required("secondary", .component(ProviderFamily.self), "asked when the first fails"),
            .optional(
                "on", .list(.choice(FailureClass.self)), "which failures fall back; all when absent"),
        ],
        example: """
            { type: fallback, primary: { type: http, request: { base_url: "http://shop.example" } }, \
            secondary: { type: file, path: bundled.json } }
            """,
        facts: [ProviderTraits(passesEvery: { $0 == "primary" }) { $1.reduce(.zero, +) }],
        plan: { reader in
            let primary = reader.component("primary", ProviderFamily.self)
            let secondary = reader.component("secondary", ProviderFamily.self)
            let chosen = reader.has("on") ? Set(reader.choices("on", FailureClass.self)) : nil
            let name = reader.name
            return { assembly in
                FallbackProductsProviderStrategy(
                    name: name, primary: try primary.instantiate(in: assembly),
                    secondary: try secondary.instantiate(in: assembly), on: chosen ?? Set(FailureClass.allCases))
            }
        })
}

extension ReachabilityProductsProviderStrategy {
    package static let spec = ComponentSpec<ProviderFamily>(
        type: "reachability",
        summary: "remote while the monitor says reachable, else local",
        fields: [
            .required("monitor", .component(MonitorFamily.self), "what says whether remote can be reached"),
            .required("remote", .component(ProviderFamily.self), "asked while it can"),
            .required("local", .component(ProviderFamily.self), "asked while it cannot"),
        ],
        example: """
            { type: reachability, monitor: { type: tcp, address: "shop.example:80" }, \
            remote: { type: http, request: { base_url: "http://shop.example" } }, \
            local: { type: file, path: bundled.json } }
            """,
        facts: [ProviderTraits(longestWait: ProviderTraits.slowest)],
        plan: { reader in
            let monitor = reader.component("monitor", MonitorFamily.self)
            let remote = reader.component("remote", ProviderFamily.self)
            let local = reader.component("local", ProviderFamily.self)
            let name = reader.name
            return { assembly in
                let monitor = try monitor.instantiate(in: assembly)
                return ReachabilityProductsProviderStrategy(
                    name: name, monitor: monitor,
                    remote: ReachabilityRecordingProductsProviderDecorator(
                        upstream: try remote.instantiate(in: assembly), monitor: monitor),
                    local: try local.instantiate(in: assembly))
            }
        })
}
