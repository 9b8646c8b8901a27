internal import HTTPServer
internal import JSON

/// What is the same for all routes of a port.
struct PortDescription: Sendable {
    /// Which port it is.
    let title: String
    /// What descriptions of routes refer to, by names.
    let schemas: JSONObject
    /// What the port's server refuses by itself.
    let options: HTTPServerOptions
    /// Whether connections are encrypted, so that those of which there are too many get no answer.
    var isEncrypted = false
    /// Which pages may read the answers; nil where browsers have no business.
    var cors: HTTPCORS?
}
