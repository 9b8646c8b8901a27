/// The settings that only the start of the process can put into effect, because ports, threads and the order of the
/// stop are made of them.
enum SettingsOfTheStart {
    private typealias Difference = @Sendable (ServiceConfiguration, ServiceConfiguration) -> Bool

    private static let settings: [(key: String, differs: Difference)] = [
        ("http.listen", { $0.http.listen != $1.http.listen }),
        ("http.threads", { $0.http.threads != $1.http.threads }),
        ("http.limits.connections", { $0.http.limits.connections != $1.http.limits.connections }),
        ("http.limits.per_address", { $0.http.limits.connectionsPerAddress != $1.http.limits.connectionsPerAddress }),
        ("http.limits.outstanding", { $0.http.limits.outstanding != $1.http.limits.outstanding }),
        ("http.limits.target_bytes", { $0.http.limits.targetBytes != $1.http.limits.targetBytes }),
        ("http.limits.header_bytes", { $0.http.limits.headerBytes != $1.http.limits.headerBytes }),
        ("http.limits.headers", { $0.http.limits.headers != $1.http.limits.headers }),
        ("http.limits.header_deadline", { $0.http.limits.headerDeadline != $1.http.limits.headerDeadline }),
        ("http.limits.idle_timeout", { $0.http.limits.idleTimeout != $1.http.limits.idleTimeout }),
        ("http.limits.write_timeout", { $0.http.limits.writeTimeout != $1.http.limits.writeTimeout }),
        ("http.tls", { ($0.http.tls == nil) != ($1.http.tls == nil) }),
        ("http.drain.delay", { $0.http.drain.delay != $1.http.drain.delay }),
        ("http.drain.deadline", { $0.http.drain.deadline != $1.http.drain.deadline }),
        ("admin.listen", { $0.adminListen != $1.adminListen }),
    ]

    /// Their keys.
    static let keys = settings.map(\.key)

    /// The keys whose value is another one in `wanted` than in the config by which the process was started.
    static func changed(from running: ServiceConfiguration, to wanted: ServiceConfiguration) -> [String] {
        settings.filter { $0.differs(running, wanted) }.map(\.key)
    }
}
