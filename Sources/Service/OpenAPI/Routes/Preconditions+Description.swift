internal import JSON

extension Preconditions {
    /// What a client can say of the answers that it has.
    static let parameters = [
        condition(
            "If-None-Match", "The `ETag`s of answers that the client has, or `*`: 304 if one is still right.", tag),
        condition("If-Modified-Since", "The `Last-Modified` of an answer that the client has.", date),
        condition(
            "If-Match", "The `ETag`s of answers that the client means, or `*`: 412 if none is right any more.", "*"),
        condition("If-Unmodified-Since", "The `Last-Modified` of an answer that the client means.", laterDate),
    ]

    private static let tag = #""none", W/"other""#
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let laterDate = "Fri, 31 Dec 2999 23:59:59 GMT"

    private static func condition(_ name: String, _ meaning: String, _ example: String) -> ParameterDescription {
        ParameterDescription(
            name: name, place: .header, meaning: meaning, schema: Schema.text, example: .string(example))
    }
}
