extension FreshnessResponding {
    /// The fields of product answers.
    var freshFields: [AnswerField] {
        [.entityTag, .lastModified, .age, .cacheControl, .cacheStatus, .vary]
            + (resource.cacheControl.scope == .public ? [.cacheExpiry] : [])
    }

    /// The fields of errors which may be none for another audience.
    var varyingFields: [AnswerField] { resource.consulted.variance.isNone ? [] : [.vary] }

    /// What becomes of requests when the graph has no answer.
    var unavailable: AnswerDescription {
        .problem(503, "There is no catalogue to serve at the moment.", fields: [.retryAfter] + varyingFields)
    }

    /// What becomes of requests that are about another answer.
    var changed: AnswerDescription {
        .problem(412, "`If-Match` or `If-Unmodified-Since` is about something else.", fields: varyingFields)
    }
}
