internal import JSON

extension DescriptionHandler {
    /// What the route does.
    static let description = RouteDescription(
        id: "openapi", summary: "This document", parameters: Preconditions.parameters + codings,
        answers: [
            AnswerDescription(
                status: 200, meaning: "The document.", fields: fields, possibleFields: [.contentEncoding],
                contents: [.init(mediaType: "application/json", schema: ["type": "object"])]),
            AnswerDescription(status: 304, meaning: "The client has it already.", fields: fields),
            .problem(400, "There is a query."),
            unacceptable,
            .problem(412, "`If-Match` or `If-Unmodified-Since` is about something else."),
        ])

    private static let fields: [AnswerField] = [.entityTag, .lastModified, .cacheControl, .vary]
}
