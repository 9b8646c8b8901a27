internal import JSON

extension CodingNegotiating {
    /// What a client can say of the codings that it takes.
    static var codings: [ParameterDescription] {
        [
            ParameterDescription(
                name: "Accept-Encoding", place: .header, meaning: "Whether the answer may be in gzip.",
                schema: Schema.text, example: "gzip;q=1, identity;q=0.5")
        ]
    }

    /// What becomes of requests that exclude all codings.
    static var unacceptable: AnswerDescription {
        .problem(406, "`Accept-Encoding` excludes every coding that there is.", fields: [.vary])
    }
}
