extension HTTPResponse {
    /// What a client gets for an error that says nothing about the client: no internals, and no hint to keep it.
    static let unexpected = ProblemDetails(status: .internalServerError).response()

    /// The response to a thrown error: its own where it has one, else a plain 500.
    public init(for error: any Error) {
        self =
            switch error {
            case let error as any HTTPResponseError: error.response
            case let error as HTTPUnexpectedError: error.response
            default: .unexpected
            }
    }
}
