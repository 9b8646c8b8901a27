internal import HTTPServer
internal import JSON

/// An operation object of the document: one method at one place.
struct OperationObject {
    let method: HTTPMethod
    let place: DescribedPlace
    let port: PortDescription

    /// - Parameter shared: where the answers are kept that others have too.
    func json(_ shared: inout SharedAnswers) -> JSONObject {
        var json: JSONObject = ["operationId": .string(id), "summary": .string(summary)]
        if isOwn { json["description"] = place.description.details.map { .string($0) } }
        if !parameters.isEmpty { json["parameters"] = .array(parameters.map { .object($0.json) }) }
        json["responses"] = .object(responses(&shared))
        return json
    }

    private var isOwn: Bool { method == place.method }

    private var id: String {
        let id = place.description.id
        return isOwn ? id : id + "\(method)".prefix(1) + "\(method)".dropFirst().lowercased()
    }

    private var summary: String {
        switch method {
        case place.method: place.description.summary
        case .head: "The head of the answer to GET"
        default: "The methods that the resource has"
        }
    }

    private var parameters: [ParameterDescription] {
        guard method != .options else { return port.cors?.preflightParameters ?? [] }
        return place.description.parameters.filter { $0.place != .path } + (port.cors?.parameters ?? [])
    }

    /// The responses of the route itself, with the header fields that middleware adds.
    private var answers: [ResponseDescription] {
        let own = (method == .options ? optionsAnswers : place.description.answers).map {
            $0.status < 400 ? $0 : $0.with([.requestID], possible: [])
        }
        let preflight = method == .options ? port.cors?.preflight.map { [$0] } ?? [] : []
        return readable(own) + preflight
    }

    private var refused: [ResponseDescription] {
        readable(RefusedRequests(port: port).answers(to: method, at: place).map { $0.with([.requestID], possible: []) })
    }

    /// Adds the CORS header fields to responses.
    private func readable(_ answers: [ResponseDescription]) -> [ResponseDescription] {
        guard let cors = port.cors else { return answers }
        return answers.map { $0.with(cors.fields, possible: cors.possibleFields) }
    }

    /// OPTIONS reads nothing of a request but its path.
    private var optionsAnswers: [ResponseDescription] {
        let hasParameters = place.description.parameters.contains { $0.place == .path }
        return [.methods] + (hasParameters ? [.problem(400, "The path is not properly percent-encoded.")] : [])
    }

    private func responses(_ shared: inout SharedAnswers) -> JSONObject {
        let own = Set(answers.map(\.status))
        let all = Dictionary(grouping: answers + refused, by: \.status)
        return JSONObject(
            all.keys.sorted().map { status in
                let answer = ResponseObject(all[status] ?? []).json(hasBody: method != .head)
                guard !own.contains(status) else { return ("\(status)", .object(answer)) }
                let name = "Refused\(status)" + (method == .head ? "Head" : "")
                return ("\(status)", .object(shared.reference(to: answer, named: name)))
            })
    }
}

extension ResponseDescription {
    /// The response to OPTIONS.
    fileprivate static let methods = ResponseDescription(status: 204, meaning: "They are named.", fields: [.allow])
}

/// A response object of the document: one status, whatever the reasons for it.
struct ResponseObject {
    private let answers: [ResponseDescription]

    /// - Parameter answers: those with the status, at least one.
    init(_ answers: [ResponseDescription]) {
        self.answers = answers
    }

    /// - Parameter hasBody: whether the answers to the method have bodies at all.
    func json(hasBody: Bool) -> JSONObject {
        var json: JSONObject = ["description": .string(answers.map(\.meaning).joined(separator: " "))]
        if !fields.isEmpty { json["headers"] = .object(fields) }
        if hasBody, !contents.isEmpty { json["content"] = .object(contents) }
        let links = answers.reduce(into: JSONObject()) { $0.add($1.links) }
        if hasBody, !links.isEmpty { json["links"] = .object(links) }
        return json
    }

    /// A field is always there if it is for every reason.
    private var fields: JSONObject {
        JSONObject(
            ResponseHeader.allCases.compactMap { field in
                guard answers.contains(where: { ($0.fields + $0.possibleFields).contains(field) }) else { return nil }
                let isAlwaysThere = answers.allSatisfy { $0.fields.contains(field) }
                return (field.rawValue, .object(field.json(isAlwaysThere: isAlwaysThere)))
            })
    }

    private var contents: JSONObject {
        var contents = JSONObject()
        for content in answers.flatMap(\.contents) {
            var json = contents[content.mediaType]?.object ?? ["schema": .object(content.schema)]
            if !content.examples.isEmpty {
                var examples = json["examples"]?.object ?? [:]
                examples.add(content.examples)
                json["examples"] = .object(examples)
            }
            contents[content.mediaType] = .object(json)
        }
        return contents
    }
}
