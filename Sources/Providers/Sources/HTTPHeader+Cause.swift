internal import Networking
internal import Products

extension HTTPHeader {
    /// What an upstream is told of the client's request behind the one it gets: its name and, where the client has told
    /// of a trace, that the request is a new span of it.
    static func telling(of cause: RequestCause?) -> [HTTPHeader] {
        guard let cause else { return [] }
        return [HTTPHeader("X-Request-Id", cause.id)] + (cause.trace.map(telling) ?? [])
    }

    private static func telling(of trace: TraceContext) -> [HTTPHeader] {
        let parent = HTTPHeader("traceparent", trace.parent(span: .random(in: 1...UInt64.max)))
        return [parent] + (trace.state.map { [HTTPHeader("tracestate", $0)] } ?? [])
    }
}
