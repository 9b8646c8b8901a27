internal import Analytics
public import Configuration
internal import GraphTools
internal import Hashing
public import Logging
internal import Networking
internal import Persistence
public import Products
public import Providers

/// Everything a config file says beside the graph, with defaults filled in.
public struct ServiceConfiguration: Sendable {
    /// Where products and probes are served.
    public let http: HTTPConfiguration
    /// Where operators look: probes, the graph at work, explanations.
    public let adminListen: NetworkAddress
    /// The least severe messages that are logged.
    public let logLevel: Logger.Level
    /// The form of the log's lines.
    package let logFormat: LogFormat
    /// When a product is popular.
    public let popularity: PopularityRule

    /// The top level's keys beside the component families and `serve`.
    public static let fields: [FieldSpec] = [
        .optional("http", .object(HTTPConfiguration.fields), "the port for products and probes"),
        .optional("admin", .object(adminFields), "the port for operators"),
        .optional("log", .object(logFields), "what is logged"),
        .optional("popular", .object(popularFields), "which products are marked as popular"),
        .required("serve", .component(family: "provider"), "the provider whose products are served"),
    ]

    private static let adminFields: [FieldSpec] = [
        .defaulted("listen", .address, "127.0.0.1:9090", "host and port")
    ]

    private static let logFields: [FieldSpec] = [
        .defaulted("level", .choice(LogLevelName.self), "info", "the least severe messages that are logged"),
        .defaulted(
            "format", .choice(LogFormat.self), "auto",
            "lines of JSON, or text for people; auto is text on a terminal, and else JSON"),
    ]

    private static let popularFields: [FieldSpec] = [
        .defaulted("sales_over", .integer, "100", "a popular product has more sales than this")
    ]

    /// The port for operators alone; nil when a document does not say it as it should.
    package static func adminListen(of document: ConfigDocument) -> NetworkAddress? {
        let check = ConfigurationCheck(document: document, registry: LoadedConfiguration.registry, sections: fields)
        let admin = check.root.object("admin")
        let listen = admin.address("listen")
        return admin.isSound ? listen : nil
    }

    /// Reads the top level of a config file.
    public init(_ root: FieldReader) {
        let (http, admin) = (root.object("http"), root.object("admin"))
        self.http = HTTPConfiguration(http)
        adminListen = admin.address("listen")
        let listen = self.http.listen
        if http.isSound, admin.isSound, adminListen.collides(with: listen) {
            admin.report(
                .error, at: "listen",
                "admin.listen \(adminListen) and http.listen \(listen) cannot both be had; change the port of one")
        }
        let log = root.object("log")
        logLevel = log.choice("level", LogLevelName.self).level
        logFormat = log.choice("format", LogFormat.self)
        popularity = PopularityRule(salesOver: root.object("popular").integer("sales_over"))
    }
}

/// The spellings of log levels in the config file.
enum LogLevelName: String, CaseIterable {
    case trace, debug, info, notice, warning, error, critical

    var level: Logger.Level {
        switch self {
        case .trace: .trace
        case .debug: .debug
        case .info: .info
        case .notice: .notice
        case .warning: .warning
        case .error: .error
        case .critical: .critical
        }
    }
}

/// A config file that was read and checked whole: what it says, and the plan of its graph. Nothing is open yet.
public struct LoadedConfiguration: Sendable {
    /// Everything beside the graph.
    public let service: ServiceConfiguration
    /// The graph's root, not yet made.
    public let root: ComponentPlan<ProviderFamily>
    /// Settings that are allowed but look wrong.
    public let warnings: [Diagnostic]

    /// The SHA-256 of the file, as `sha256sum` prints it: tells whether replicas read the same one.
    let hash: String

    /// Every component a config file can name.
    public static var registry: ComponentRegistry {
        var registry = ComponentRegistry()
        registry.register(StoreFamily.self, StoreFamily.specs)
        registry.register(SinkFamily.self, SinkFamily.specs)
        registry.register(MonitorFamily.self, MonitorFamily.specs)
        registry.register(PaginationFamily.self, PaginationFamily.specs)
        registry.register(AuthFamily.self, AuthFamily.specs)
        registry.register(ProviderFamily.self, ProviderFamily.specs)
        return registry
    }

    /// Reads and checks a config file.
    ///
    /// - Parameter label: of the provider that is served; the one that the file names unless given.
    /// - Throws: `ConfigurationError` with every problem there is, in the order of their positions.
    public static func load(
        path: String, environment: [String: String], serving label: String? = nil
    ) throws(ConfigurationError) -> LoadedConfiguration {
        let document = try ConfigDocument.read(path: path, environment: environment)
        return try check(label.map { document.replacing("serve", with: $0) } ?? document)
    }

    /// Checks a document that was read already.
    public static func check(_ document: ConfigDocument) throws(ConfigurationError) -> LoadedConfiguration {
        let registry = registry
        let check = ConfigurationCheck(document: document, registry: registry, sections: ServiceConfiguration.fields)
        let service = ServiceConfiguration(check.root)
        let root = check.root.component("serve", ProviderFamily.self)
        for problem in Lints.problems(in: root.outline) {
            check.root.report(problem.severity, at: problem.position, problem.message)
        }
        let warnings = try check.finish()
        return LoadedConfiguration(
            service: service, root: root, warnings: warnings, hash: SHA256Digest(of: document.text.utf8).hexDigits)
    }
}
