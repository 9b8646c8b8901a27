public import Configuration
public import Logging
public import Products

/// Everything a config file says beside the graph, with defaults filled in.
public struct ServiceConfiguration: Sendable {
    /// Where products and probes are served.
    public let http: HTTPConfiguration
    /// Where operators look: probes, the graph at work, explanations.
    public let adminListen: NetworkAddress
    /// The least severe messages that are logged.
    public let logLevel: Logger.Level
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
        .defaulted("level", .choice(LogLevelName.self), "info", "the least severe messages that are logged")
    ]

    private static let popularFields: [FieldSpec] = [
        .defaulted("sales_over", .integer, "100", "a popular product has more sales than this")
    ]

    /// The port for operators alone; nil when a document does not say it as it should.
    static func adminListen(of document: ConfigDocument) -> NetworkAddress? {
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
        logLevel = root.object("log").choice("level", LogLevelName.self).level
        popularity = PopularityRule(salesOver: root.object("popular").integer("sales_over"))
    }
}
