internal import HTTPServer
internal import JSON
package import OpenAPI

extension RouteDescription {
    /// Describes a route of the operators' port that responds with JSON.
    fileprivate static func report(
        _ id: String, _ summary: String, _ parameters: [ParameterDescription], _ schema: JSONObject,
        _ problems: [ResponseDescription] = []
    ) -> RouteDescription {
        RouteDescription(
            id: id, summary: summary, parameters: parameters,
            responses: [
                ResponseDescription(
                    status: 200, meaning: "The report.", fields: [.cacheControl],
                    contents: [.init(mediaType: "application/json", schema: schema)]),
                .problem(400, "A parameter is missing, malformed or unknown."),
            ] + problems, waits: true)
    }

    /// Describes an order.
    fileprivate static func order(
        _ id: String, _ summary: String, _ parameters: [ParameterDescription], _ schema: JSONObject,
        _ problems: [ResponseDescription]
    ) -> RouteDescription {
        let reason = ParameterDescription(
            name: "reason", place: .query, meaning: "Why, in one line; it is logged, and kept with a pin.",
            schema: ["type": "string", "maxLength": 500])
        var description = report(
            id, summary, parameters + [reason], schema,
            [
                .problem(401, "The token is missing or wrong.", fields: [.authenticate]),
                .problem(403, "Orders from this address are not accepted, or only with a token."),
            ] + problems)
        description.method = .post
        description.isOrder = true
        return description
    }

    /// Describes a page for browsers.
    ///
    /// - Parameters:
    ///   - ignoresQuery: whether any query is accepted.
    ///   - isFixed: whether the page is the same for every graph.
    package static func page(
        _ id: String, _ summary: String, ignoresQuery: Bool = true, isFixed: Bool = true
    ) -> RouteDescription {
        var responses = [
            ResponseDescription(
                status: 200, meaning: "The page.",
                fields: [.cacheControl, .contentSecurityPolicy, .referrerPolicy, .contentTypeOptions],
                possibleFields: isFixed ? [] : [.vary], contents: [.init(mediaType: "text/html", schema: Schema.text)])
        ]
        if !ignoresQuery { responses.append(.problem(400, "There is a query.")) }
        return RouteDescription(id: id, summary: summary, responses: responses, waits: !isFixed)
    }

    /// The description of `/graph`.
    package static let graph: RouteDescription = {
        var description = report("showGraph", "The graph at work", [], ["type": "object"])
        description.responses[0] = ResponseDescription(
            status: 200, meaning: "The graph; as a page where HTML is preferred.", fields: [.cacheControl, .vary],
            possibleFields: [.contentSecurityPolicy, .referrerPolicy, .contentTypeOptions],
            contents: [
                .init(mediaType: "application/json", schema: ["type": "object"]),
                .init(mediaType: "text/html", schema: Schema.text),
            ])
        return description
    }()

    /// The description of `/products` on the port for operators.
    package static let explanation = report(
        "explainProducts", "How the graph answers a request for products",
        [
            ParameterDescription(
                name: "explain", place: .query, meaning: "`1`, which is required.",
                schema: Schema.choice(of: ["1"]), example: "1")
        ], ["type": "object"])
}

extension ParameterDescription {
    fileprivate static let store = query(
        "store", "The store, by its label in metrics; without it the only or the shared one.")
    fileprivate static let node = query("node", "A provider, by its label in metrics.")
    fileprivate static let id = query("id", "The only product to compare.")
    fileprivate static let revision = query(
        "revision", "The first digits of a revision, four or more.", OrderSchemas.revision)

    fileprivate static func query(
        _ name: String, _ meaning: String, _ schema: JSONObject = Schema.filledText
    ) -> ParameterDescription {
        ParameterDescription(name: name, place: .query, meaning: meaning, schema: schema)
    }

    fileprivate static func flag(_ name: String, _ meaning: String) -> ParameterDescription {
        query(name, meaning, Schema.choice(of: ["0", "1"]))
    }
}

extension ResponseDescription {
    fileprivate static let unknown = problem(404, "There is no such node, store or generation.")
    fileprivate static let impossible = problem(409, "The graph has no component for the order.")
    fileprivate static let storeFails = problem(503, "The store fails.")

    /// The reports of refreshes that have failed.
    fileprivate static let failedRefreshes = [
        (502, "The refresh failed because of the upstream or its response."),
        (503, "The upstream was not asked, or the service could not use the response."),
    ].map { status, meaning in
        ResponseDescription(
            status: status, meaning: meaning, fields: [.cacheControl], possibleFields: [.retryAfter],
            contents: [.init(mediaType: "application/problem+json", schema: Schema.named("Refreshes"))])
    }
}

extension RefreshHandler {
    package static let description: RouteDescription = {
        let prefer = ParameterDescription(
            name: "Prefer", place: .header, meaning: "`respond-async`: 202 at once.", schema: Schema.text)
        var description = RouteDescription.order(
            "refresh", "Asks the upstream now",
            [.node, .flag("force", "`1` ignores pauses and circuit breakers."), prefer], Schema.named("Refreshes"),
            [.unknown, .impossible] + ResponseDescription.failedRefreshes)
        description.responses.append(
            ResponseDescription(
                status: 202, meaning: "The refresh has begun.", fields: [.cacheControl, .preferenceApplied],
                contents: [
                    .init(
                        mediaType: "application/json",
                        schema: Schema.object([.always("accepted", Schema.flag, "always true")]))
                ]))
        return description
    }()
}

extension PinHandler {
    package static let description = RouteDescription.order(
        "pin", "Serves one generation until the pin is removed",
        [.query("generation", "Its number.", Schema.count), .revision, .store],
        Schema.object(
            [
                .always("store", OrderSchemas.label, "the store"),
                .always("inForce", Schema.flag, "whether all memories serve it by now"),
            ] + OrderSchemas.pinMembers), [.unknown, .impossible, .storeFails])
}

extension UnpinHandler {
    package static let description = RouteDescription.order(
        "unpin", "Shows the effect of removing the pin, and removes it",
        [.store, .flag("confirm", "`1` removes it.")],
        Schema.object([
            .always("confirmed", Schema.flag, "whether the pin has been removed"),
            .always("store", OrderSchemas.label, "the store"),
            .sometimes("pin", OrderSchemas.orNull(Schema.named("Pin")), "the pin in force"),
            .sometimes("difference", OrderSchemas.orNull(Schema.named("Difference")), "to the newest generation"),
            .sometimes("unpinned", OrderSchemas.orNull(Schema.named("Pin")), "the removed pin"),
            .sometimes("inForce", Schema.flag, "whether no memory serves a pinned catalogue any more"),
            .sometimes(
                "served", OrderSchemas.orNull(Schema.list(of: OrderSchemas.served)),
                "the catalogues that memories serve now"),
            .sometimes("afterwards", Schema.filledText, "the catalogue that would be served without the pin"),
        ]), [.unknown, .impossible, .storeFails])
}

extension HistoryHandler {
    package static let description = RouteDescription.report(
        "showHistory", "The generations of a store, newest first", [.store],
        Schema.object([
            .always("store", OrderSchemas.label, "the store"),
            .always("pin", OrderSchemas.orNull(Schema.named("Pin")), "the pin in force"),
            .always("generations", Schema.list(of: Schema.named("Generation")), "each with its difference"),
        ]), [.unknown, .impossible, .storeFails])
}

extension DifferenceHandler {
    package static let description: RouteDescription = {
        let meaning = "A generation's number, the beginning of its revision, `newest` or `current`."
        return .report(
            "compare", "The products by which two generations differ",
            [.query("from", meaning), .query("to", meaning), .id, .store], Schema.named("Difference"),
            [.unknown, .impossible, .storeFails])
    }()
}

extension QuarantineHandler {
    package var description: RouteDescription {
        switch action {
        case .show:
            .report(
                "showQuarantine", "The refused catalogues", [.id],
                Schema.object([
                    .always("quarantined", Schema.list(of: Schema.named("Refused")), "one for each provider")
                ]))
        case .accept:
            .order(
                "accept", "Accepts a refused catalogue once", [.node, .revision], Schema.named("Refreshes"),
                [.unknown] + ResponseDescription.failedRefreshes)
        }
    }
}
