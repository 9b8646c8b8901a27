import Configuration
import TestSupport
import Testing

@testable import Service

@Suite struct RestartOnlySettingsTests {
    /// The settings that a reload puts into force.
    private static let reloaded: Set = [
        "http.pagination.default_limit", "http.pagination.max_limit", "http.cache_control.max_age",
        "http.cache_control.scope", "http.locales", "http.surrogate_key", "http.cors.allow_origins",
        "http.cors.allow_headers",
        "http.cors.max_age",
        "http.access_log", "log.level", "popular.sales_over", "catalogue.keys", "catalogue.attributes",
        "catalogue.search", "catalogue.categories.separator",
        "serve", "admin.token_file", "admin.allow_hosts", "hooks", "reload.watch", "http.api_keys.file",
        "http.api_keys.exempt", "http.rate_limit.rate", "http.rate_limit.burst", "http.rate_limit.per",
        "telemetry.otlp.endpoint", "telemetry.otlp.headers", "telemetry.otlp.metrics", "telemetry.otlp.logs",
        "telemetry.otlp.traces",
        "telemetry.otlp.tls.ca_file", "telemetry.otlp.tls.certificate", "telemetry.otlp.tls.key",
        "telemetry.otlp.tls.server_name", "telemetry.otlp.tls.insecure_skip_verify", "telemetry.otlp.proxy",
        "telemetry.otlp.no_proxy", "telemetry.otlp.resolve",
    ]

    private static let changes = [
        "http.listen": "http: { listen: 127.0.0.1:1 }",
        "http.threads": "http: { threads: 7 }",
        "http.limits.connections": "http: { limits: { connections: 1 } }",
        "http.limits.event_streams": "http: { limits: { event_streams: 1 } }",
        "http.limits.per_address": "http: { limits: { per_address: 1 } }",
        "http.limits.outstanding": "http: { limits: { outstanding: 1 } }",
        "http.limits.request_bytes": "http: { limits: { request_bytes: 1MiB } }",
        "http.limits.target_bytes": "http: { limits: { target_bytes: 1KiB } }",
        "http.limits.header_bytes": "http: { limits: { header_bytes: 9KiB } }",
        "http.limits.headers": "http: { limits: { headers: 1 } }",
        "http.limits.header_deadline": "http: { limits: { header_deadline: 1s } }",
        "http.limits.idle_timeout": "http: { limits: { idle_timeout: 1s } }",
        "http.limits.write_timeout": "http: { limits: { write_timeout: 1s } }",
        "http.trusted_proxies": "http: { trusted_proxies: [\"::1\"], client_address: forwarded }",
        "http.client_address": "http: { trusted_proxies: [\"::1\"], client_address: x_forwarded_for }",
        "http.fast_path": "http: { fast_path: false }",
        "http.tls": "http: { \(TestCertificate.first.section) }",
        "http.drain.delay": "http: { drain: { delay: 1s } }",
        "http.drain.deadline": "http: { drain: { deadline: 21s } }",
        "admin.listen": "admin: { listen: 127.0.0.1:1 }",
        "log.format": "log: { format: text }",
    ]

    /// The sections before the change, if there are any.
    private static let before = [
        "http.client_address": "http: { trusted_proxies: [\"::1\"], client_address: forwarded }"
    ]

    private func service(_ sections: String) throws -> ServiceConfiguration {
        try ServiceSettings.loaded(makeConfiguration(sections)).service
    }

    @Test(arguments: changes)
    func `each change is noticed, and nothing else`(key: String, sections: String) throws {
        let (old, new) = (try service(Self.before[key] ?? ""), try service(sections))
        #expect(RestartOnlySettings.changed(from: old, to: new) == [key])
        #expect(RestartOnlySettings.changed(from: new, to: new) == [])
    }

    @Test func `another certificate needs no restart`() throws {
        let (first, second) = (TestCertificate.first.section, TestCertificate.second.section)
        let (old, new) = (try service("http: { \(first) }"), try service("http: { \(second) }"))
        #expect(RestartOnlySettings.changed(from: old, to: new) == [])
    }

    @Test func `every setting beside the graph needs a restart or is reloaded`() {
        let keys = Self.keys(ServiceConfiguration.fields)
        #expect(Set(keys) == Self.reloaded.union(RestartOnlySettings.keys))
        #expect(Set(Self.changes.keys) == Set(RestartOnlySettings.keys))
    }

    private static func keys(_ fields: [FieldSpec], in way: String = "") -> [String] {
        fields.flatMap { field -> [String] in
            guard case .object(let inner) = field.type else { return [way + field.name] }
            return keys(inner, in: "\(way)\(field.name).")
        }
    }
}
