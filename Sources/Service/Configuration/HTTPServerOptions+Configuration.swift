internal import HTTPServer

extension HTTPServerOptions {
    /// What the config's `http:` section asks for. Probes are answered however much else waits: a restart would not
    /// make it less.
    init(_ configuration: HTTPConfiguration) {
        self.init()
        let limits = configuration.limits
        maximumConnections = limits.connections
        maximumConnectionsPerAddress = limits.connectionsPerAddress
        maximumOutstanding = limits.outstanding
        maximumTargetBytes = limits.targetBytes
        maximumHeadBytes = limits.headerBytes
        maximumHeaderFields = limits.headers
        headDeadline = limits.headerDeadline
        idleTimeout = limits.idleTimeout
        writeTimeout = limits.writeTimeout
        alwaysServedPaths = ["/livez", "/readyz", "/healthz"]
    }

    /// The same for the port of operators, who are few, whatever crowds the other port may have. Its connections and
    /// requests are counted apart, so neither port can take the other one's share.
    var forOperators: HTTPServerOptions {
        var options = self
        options.maximumConnections = 256
        options.maximumConnectionsPerAddress = 0
        options.maximumOutstanding = 64
        return options
    }
}
