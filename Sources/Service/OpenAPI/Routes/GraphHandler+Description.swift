extension GraphHandler {
    /// What the route does.
    var description: RouteDescription {
        RouteDescription(
            id: isPage ? "graphPage" : "graph",
            summary: "The graph of components, and what happens in it" + (isPage ? ", as a page" : ""),
            answers: [isPage ? page : either, .problem(400, "There is a query.")])
    }

    private static let pageFields: [AnswerField] = [.contentTypeOptions, .referrerPolicy, .contentSecurityPolicy]
    private static let html = AnswerDescription.Content(mediaType: "text/html", schema: Schema.text)

    private var page: AnswerDescription {
        AnswerDescription(
            status: 200, meaning: "The graph.", fields: [.cacheControl, .vary] + Self.pageFields,
            contents: [Self.html])
    }

    private var either: AnswerDescription {
        AnswerDescription(
            status: 200, meaning: "The graph; a page for those who accept HTML.", fields: [.cacheControl, .vary],
            possibleFields: Self.pageFields,
            contents: [.init(mediaType: "application/json", schema: Schema.named(GraphSchemas.graph)), Self.html])
    }
}
