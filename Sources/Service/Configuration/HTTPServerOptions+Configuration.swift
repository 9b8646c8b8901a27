internal import HTTPServer

extension HTTPServerOptions {
    /// The options that the config's `http:` section asks for.
    init(_ configuration: HTTPConfiguration) {
        self.init()
        maximumHeadBytes = configuration.headerBytes
        idleTimeout = configuration.idleTimeout
        writeTimeout = configuration.writeTimeout
    }
}
