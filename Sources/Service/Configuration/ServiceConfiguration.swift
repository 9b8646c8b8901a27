package import Configuration
internal import GraphTools
internal import Hashing
package import Logging
package import Networking
package import Products
package import Querying
package import Wiring

/// The contents of a config file besides the graph, with defaults filled in.
package struct ServiceConfiguration: Sendable {
    /// The port for products and probes.
    package let http: HTTPConfiguration
    /// The address of the operators' port.
    package let adminListen: NetworkAddress
    /// Makes the token of operators' orders; nil if orders are accepted from this machine only.
    package let adminToken: (@Sendable (Logger) -> Credential)?
    /// Names of the operators' port besides those that can only mean this machine or its private network.
    let adminHosts: [String]
    /// The least severe messages that are logged.
    package let logLevel: Logger.Level
    package let logFormat: LogFormat
    package let popularity: PopularityRule
    /// The members by which clients find products besides those of every catalogue.
    package let members: FindableMembers
    /// The webhooks of upstreams, in the order of the file.
    package let hooks: [HookConfiguration]
    /// The collector of telemetry; nil for none.
    package let telemetry: TelemetryConfiguration?
    /// Whether a change of the config or of a file that it names is a reload.
    package let watchesFiles: Bool

    /// The top level's keys besides the component families and `serve`.
    package static let fields: [FieldSpec] = [
        .optional("http", .object(HTTPConfiguration.fields), "the port for products and probes"),
        .optional("admin", .object(adminFields), "the port for operators"),
        .optional("hooks", .map(.object(HookConfiguration.fields)), "upstreams' webhooks, each at /hooks/NAME"),
        .optional("reload", .object(reloadFields), "when the config is read again besides SIGHUP"),
        .optional("log", .object(logFields), "what is logged"),
        .optional("telemetry", .object(TelemetryConfiguration.fields), "where traces and metrics are sent"),
        .optional("popular", .object(popularFields), "which products are marked as popular"),
        .optional("catalogue", .object(CatalogueSection.fields), "what clients find products by, beside ids"),
        .required("serve", .component(family: "provider"), "the provider whose products are served"),
    ]

    private static let adminFields: [FieldSpec] = [
        .defaulted("listen", .address, "127.0.0.1:9090", "host and port"),
        .optional(
            "token_file", .path,
            "holds the token that orders have to carry; without it, or with an empty path, only this machine may give "
                + "orders, and none where the port is open to other machines"),
        .defaulted(
            "allow_hosts", .list(.string), "[]",
            "names by which the port may be asked, such as larder.shop.example, or .shop.example with all below it; "
                + "addresses and names within a machine or cluster need not be listed"),
    ]

    private static let reloadFields: [FieldSpec] = [
        .defaulted(
            "watch", .boolean, "false",
            "whether other content of this file, or of a file that it names, is a reload, as when a ConfigMap changes")
    ]

    private static let logFields: [FieldSpec] = [
        .defaulted("level", .choice(Logger.Level.self), "info", "the least severe messages that are logged"),
        .defaulted(
            "format", .choice(LogFormat.self), "auto",
            "lines of JSON, or text for people; auto is text on a terminal, and else JSON"),
    ]

    private static let popularFields: [FieldSpec] = [
        .defaulted("sales_over", .integer, "100", "a popular product has more sales than this")
    ]

    /// The operators' port alone, without reading its token; nil if it has an error.
    package static func operators(of document: ConfigDocument) -> OperatorsAccess? {
        let check = ConfigurationCheck(document: document, registry: ComponentRegistry.everyFamily, sections: fields)
        let admin = check.root.object("admin")
        let access = OperatorsAccess(listen: admin.address("listen"), tokenFile: admin.optionalFilledPath("token_file"))
        return admin.isSound ? access : nil
    }

    /// Reads the top level of a config file.
    package init(_ root: FieldReader) {
        let (http, admin) = (root.object("http"), root.object("admin"))
        self.http = HTTPConfiguration(http)
        adminListen = admin.address("listen")
        adminToken = admin.optionalCredential("token_file", .bearerToken)
        adminHosts = Self.hosts(admin)
        let other = self.http.listen.compactMap(\.address).first { [adminListen] in adminListen.collides(with: $0) }
        if http.isSound, admin.isSound, let other {
            admin.report(
                .error, at: "listen",
                "admin.listen \(adminListen) and http.listen \(other) overlap; change the port of one")
        } else if admin.isSound, adminToken == nil, !adminListen.isLoopback {
            admin.report(
                .warning, at: "listen",
                "other machines can reach admin.listen \(adminListen), so no orders are taken without \"token_file\"")
        }
        let log = root.object("log")
        logLevel = log.choice("level", Logger.Level.self)
        logFormat = log.choice("format", LogFormat.self)
        members = CatalogueSection.members(root.object("catalogue"))
        popularity = PopularityRule(salesOver: root.object("popular").integer("sales_over"))
        hooks = HookConfiguration.all(root)
        telemetry = TelemetryConfiguration(root)
        watchesFiles = root.object("reload").boolean("watch")
    }
}

extension ServiceConfiguration {
    private static func hosts(_ admin: FieldReader) -> [String] {
        for node in admin.node("allow_hosts")?.elements ?? [] {
            guard let host = node.text else { continue }
            let name = host.hasPrefix(".") ? host.dropFirst() : host[...]
            guard NetworkAddress("\(name):0")?.host != String(name) else { continue }
            admin.report(
                .error, at: node.position,
                "\"allow_hosts\": \(node.foundValue) is no name; write it like larder.shop.example, without scheme and port"
            )
        }
        return admin.strings("allow_hosts")
    }
}

/// The operators' port of a service.
package struct OperatorsAccess: Sendable {
    package let listen: NetworkAddress
    /// The file with the token of orders; nil without one.
    package let tokenFile: String?

    package init(listen: NetworkAddress, tokenFile: String?) {
        (self.listen, self.tokenFile) = (listen, tokenFile)
    }
}

/// A config file, completely read and checked, with the plan of its graph. Nothing is open yet.
package struct LoadedConfiguration: Sendable {
    /// Everything besides the graph.
    package let service: ServiceConfiguration
    /// The plan of the graph's root.
    package let root: ComponentPlan<ProviderFamily>
    package let warnings: [Diagnostic]
    /// The SHA-256 of the file, as `sha256sum` prints it, for comparing replicas.
    let hash: String
    /// The config file, and the files that it names whose content was read.
    private(set) var files: [String]

    /// Reads and checks a config file.
    ///
    /// - Parameters:
    ///   - label: the label of the provider to serve; by default the file's `serve`.
    ///   - text: the text to use if the file does not exist; nil to make that an error.
    /// - Throws: `ConfigurationError` with every problem, sorted by position.
    package static func load(
        path: String, environment: [String: String], serving label: String? = nil, orElse text: String? = nil
    ) throws(ConfigurationError) -> LoadedConfiguration {
        // A label may be one of a shop, which stands at the key that is replaced.
        let document = ShopGraph.expanded(
            try ConfigDocument.read(path: path, environment: environment, orElse: text))
        var loaded = try check(label.map { document.replacing("serve", with: $0) } ?? document)
        if path != "-" { loaded.files.insert(path, at: 0) }
        return loaded
    }

    /// Checks a parsed document, with a shop in its short form or expanded.
    package static func check(
        _ document: ConfigDocument, registry: ComponentRegistry = .everyFamily
    ) throws(ConfigurationError) -> LoadedConfiguration {
        let document = ShopGraph.expanded(document)
        let check = ConfigurationCheck(document: document, registry: registry, sections: ServiceConfiguration.fields)
        let service = ServiceConfiguration(check.root)
        let root = check.root.component("serve", ProviderFamily.self)
        for hook in service.hooks { hook.check(in: root.outline, check.root) }
        for problem in Lints.problems(in: root.outline) {
            check.root.report(problem.severity, at: problem.position, problem.message)
        }
        let warnings = try check.finish()
        return LoadedConfiguration(
            service: service, root: root, warnings: warnings, hash: SHA256Digest(of: document.text.utf8).hexDigits,
            files: check.files.filter { $0 != service.http.access.keysPath })
    }
}

/// The source of reloads.
package struct ReloadSource: Sendable {
    /// One element for each request. Requests during a reload are kept as one.
    package let requests: AsyncStream<Void>
    /// Makes such a request.
    let request: @Sendable () -> Void
    /// Reads and checks the config.
    package let load: @Sendable () throws(ConfigurationError) -> LoadedConfiguration

    package init(
        requests: AsyncStream<Void>, request: @escaping @Sendable () -> Void = {},
        load: @escaping @Sendable () throws(ConfigurationError) -> LoadedConfiguration
    ) {
        self.requests = requests
        self.request = request
        self.load = load
    }
}

extension NetworkAddress {
    /// Whether two servers cannot listen on both. Names are compared as written, without a look-up.
    func collides(with other: NetworkAddress) -> Bool {
        port == other.port && port != 0 && (host == other.host || covers(other) || other.covers(self))
    }

    /// Whether a socket at this address also receives the connections to the other: `0.0.0.0` has all IPv4 addresses, and
    /// `::` has all addresses.
    private func covers(_ other: NetworkAddress) -> Bool {
        let isIPv4 = other.host.allSatisfy { $0.isNumber || $0 == "." }
        return switch host {
        case "0.0.0.0": isIPv4
        case "::": isIPv4 || other.host.contains(":")
        default: false
        }
    }
}
