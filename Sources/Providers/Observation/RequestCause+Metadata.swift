public import Logging
public import Products

extension RequestCause {
    /// What a log line about the request has beside what it tells.
    public var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = ["request_id": "\(id)"]
        if let trace { metadata["trace_id"] = "\(trace.traceID)" }
        return metadata
    }
}
