internal import HTTPServer
internal import Logging

extension HTTPOpenWork {
    /// How the log tells of it.
    var metadata: Logger.Metadata {
        ["connections": .stringConvertible(connections), "requests": .stringConvertible(requests)]
    }
}
