package import Configuration
internal import Networking
package import Providers

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
        plan: { reader in
            let monitor = reader.component("monitor", MonitorFamily.self)
            let remote = reader.component("remote", ProviderFamily.self)
            let local = reader.component("local", ProviderFamily.self)
            let name = reader.name
            return { assembly in
                ReachabilityProductsProviderStrategy(
                    name: name, monitor: try monitor.instantiate(in: assembly),
                    remote: try remote.instantiate(in: assembly), local: try local.instantiate(in: assembly))
            }
        })
}
