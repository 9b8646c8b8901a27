/// The settings that only the start of the process can put into effect, because ports, threads and the order of the
/// stop are made of them.
enum SettingsOfTheStart {
    private typealias Difference = @Sendable (ServiceConfiguration, ServiceConfiguration) -> Bool

    private static let settings: [(key: String, differs: Difference)] = [
        ("http.listen", { $0.http.listen != $1.http.listen }),
        ("http.threads", { $0.http.threads != $1.http.threads }),
        ("http.limits.header_bytes", { $0.http.headerBytes != $1.http.headerBytes }),
        ("http.limits.idle_timeout", { $0.http.idleTimeout != $1.http.idleTimeout }),
        ("http.limits.write_timeout", { $0.http.writeTimeout != $1.http.writeTimeout }),
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
