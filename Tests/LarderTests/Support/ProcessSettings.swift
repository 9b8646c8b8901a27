import TestSupport
import FileSystem

/// A config file of the default graph with what a test wants otherwise.
struct ProcessSettings {
    var upstream: String
    var listen = "127.0.0.1:0"
    var adminListen = "127.0.0.1:0"
    var ttl = "10s"
    var staleWhileRevalidate = "20s"
    var holdOff = "50ms"
    /// More of `http:`.
    var tls = "tls: off"
    var drainDelay = "1ms"
    var drainDeadline = "10s"
    /// More of the top level.
    var sections = ""
    var events = "events.jsonl"
    var primary = "remote"
    /// The upstream's.
    var timeout = "2s"
    var serve = "storefront"
    /// The number of generations that the store keeps.
    var keep = 3

    private func yaml(data: String) -> String {
        """
        \(sections)
        http: { listen: "\(listen)", \(tls), threads: 1, drain: { delay: \(drainDelay), deadline: \(drainDeadline) } }
        admin: { listen: "\(adminListen)" }
        stores:
          disk: { type: json_file, directory: "\(data)/store", keep: \(keep) }
        analytics:
          events: { type: file, path: "\(data)/\(events)" }
        providers:
          local: { type: analytics, sink: events, event: products_cache_hit, upstream: { type: stored, store: disk } }
          remote:
            type: caching
            store: disk
            upstream:
              type: validated
              baseline: disk
              upstream:
                type: analytics
                sink: events
                event: products_network_hit
                upstream:
                  type: http
                  timeout: \(timeout)
                  request: { base_url: "http://\(upstream)", path: /products }
          storefront:
            type: memory
            ttl: \(ttl)
            stale_while_revalidate: \(staleWhileRevalidate)
            hold_off: \(holdOff)
            upstream: { type: fallback, primary: \(primary), secondary: local }
        serve: \(serve)
        """
    }

    /// Writes the file and gives its path.
    func write(in directory: TemporaryDirectory) throws -> String {
        let path = directory("\(UInt64.random(in: 0...UInt64.max)).yaml")
        try Files.create(path, Array(yaml(data: directory.path).utf8))
        return path
    }

    /// Puts the settings in the place of those in a file, at one stroke.
    func replace(_ path: String, in directory: TemporaryDirectory) throws {
        try Files.rename(try write(in: directory), to: path)
    }
}
