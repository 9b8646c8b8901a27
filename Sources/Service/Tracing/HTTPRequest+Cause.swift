public import HTTPServer
public import Products

extension HTTPRequest: RequestCauseSource {
    /// What the graph, its upstreams and the log are told of the request.
    ///
    /// It is the same however often it is asked for, and without fields of the client it costs one look at the head.
    public var cause: RequestCause {
        let serial = (serial.server, serial.number)
        guard isCorrelated else { return RequestCause(serial: serial) }
        return RequestCause(givenID: header(RequestIDHandler.field), serial: serial, trace: trace)
    }

    private var trace: TraceContext? {
        guard let parent = header("traceparent") else { return nil }
        return TraceContext(parent: parent, state: header("tracestate"))
    }
}
