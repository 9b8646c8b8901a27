/// Answers every request of a connection in the same way, until the client leaves.
@Sendable public func answering(_ answer: @escaping @Sendable (UpstreamConnection) -> Void)
    -> @Sendable (UpstreamConnection) -> Void
{
    { connection in
        while connection.readRequest() != nil { answer(connection) }
    }
}
