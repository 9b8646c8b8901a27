import Configuration

@testable import Service

/// The default graph with what a test wants otherwise.
struct ServiceSettings {
    var upstream: String
    var data: String
    var ttl = "10s"
    var staleWhileRevalidate = "20s"
    var staleIfError = "1h"
    var holdOff = "50ms"
    /// So wide that a busy machine does not meet it, except where a test means it.
    var timeout = "20s"
    var maxBody = "1MiB"
    var path = "/products"
    var isMonitored = true
    var events = "events.jsonl"
    var keep = 3
    /// The rest of `http:`.
    var http = "listen: 127.0.0.1:0"
    /// More of the top level.
    var sections = ""

    private var monitor: String {
        isMonitored
            ? "{ type: tcp, address: \"\(upstream)\", interval: 50ms, timeout: 20s, fall: 2, rise: 1 }"
            : "{ type: always }"
    }

    var yaml: String {
        """
        \(sections)
        http: { \(http), threads: 1, drain: { delay: 1ms, deadline: 10s } }
        admin: { listen: 127.0.0.1:0 }
        stores:
          disk: { type: json_file, directory: "\(data)/store", keep: \(keep) }
        analytics:
          events: { type: file, path: "\(data)/\(events)" }
        monitors:
          upstream: \(monitor)
        providers:
          local: { type: analytics, sink: events, event: products_cache_hit, upstream: { type: stored, store: disk } }
          remote:
            type: caching
            store: disk
            upstream:
              type: validated
              upstream:
                type: analytics
                sink: events
                event: products_network_hit
                upstream:
                  type: http
                  timeout: \(timeout)
                  connect_timeout: 20s
                  max_body: \(maxBody)
                  request: { base_url: "http://\(upstream)", path: \(path) }
          storefront:
            type: memory
            ttl: \(ttl)
            stale_while_revalidate: \(staleWhileRevalidate)
            stale_if_error: \(staleIfError)
            hold_off: \(holdOff)
            upstream:
              type: fallback
              primary: { type: reachability, monitor: upstream, remote: remote, local: local }
              secondary: local
        serve: storefront
        """
    }

    func loaded() throws -> LoadedConfiguration { try Self.loaded(yaml) }

    static func loaded(_ yaml: String) throws(ConfigurationError) -> LoadedConfiguration {
        try LoadedConfiguration.check(try ConfigDocument.parse(yaml, file: "test.yaml", environment: [:]))
    }
}
