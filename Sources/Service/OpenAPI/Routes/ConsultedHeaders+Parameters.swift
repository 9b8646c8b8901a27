internal import JSON

extension ConsultedHeaders {
    /// The header fields by which the graph decides or counts.
    var parameters: [ParameterDescription] { decidingParameters + (countsCallers ? Self.optOuts : []) }

    /// The header fields by which the graph decides.
    var decidingParameters: [ParameterDescription] {
        variance.fieldNames.map { name in
            ParameterDescription(
                name: name, place: .header, meaning: "Which catalogue is answered with depends on it.",
                schema: Schema.text)
        }
    }

    private static let optOuts = ["Sec-GPC", "DNT"].map { name in
        ParameterDescription(
            name: name, place: .header, meaning: "`1` keeps the request from being counted in analytics.",
            schema: Schema.text, example: "1")
    }
}
