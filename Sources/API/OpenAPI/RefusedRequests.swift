internal import HTTPServer
package import JSON

/// Lists the requests for a route that are refused before the route sees them, and the responses.
struct RefusedRequests: Sendable {
    let port: PortDescription

    /// The answers, by the reasons in their order.
    /// - Parameter method: one of the place's.
    func answers(to method: HTTPMethod, at place: DescribedPlace) -> [ResponseDescription] {
        HTTPRefusal.allCases.filter { mayMeet($0, method, place) }.compactMap { refusal in
            guard let answer = HTTPRefusalAnswer(refusal),
                let problem = (try? JSONParser().parse(Array(answer.body.utf8)))?.object
            else { return nil }
            let fields = answer.fieldNames.compactMap(ResponseHeader.init(rawValue:)).filter { $0 != .cacheControl }
            return .problem(
                answer.statusCode, problem["detail"]?.string ?? "", fields: fields,
                examples: [refusal.rawValue: .object(["value": .object(problem)])])
        }
    }

    private func mayMeet(_ refusal: HTTPRefusal, _ method: HTTPMethod, _ place: DescribedPlace) -> Bool {
        let options = port.options
        return switch refusal {
        // They are about what is no request for this route.
        case .target, .connect, .notAllowed, .method: false
        case .headBody: method == .head
        // With HEAD it is about the body that HEAD must not have.
        case .chunked, .body, .coding: method != .head
        case .headTimeout: options.headDeadline > .zero || options.idleTimeout > .zero
        case .addressLimit: options.maximumConnectionsPerAddress > 0 && !port.isEncrypted
        case .connections: options.maximumConnections > 0 && !port.isEncrypted
        case .overloaded:
            options.maximumOutstanding > 0
                && !options.alwaysServedPaths.contains(place.pattern.description)
        case .deadline: method != .options && place.description.waits && options.requestDeadline > .zero
        default: true
        }
    }
}

/// The schema of `ProblemDetails`.
package enum ProblemSchema {
    package static let name = "Problem"

    package static let schema = Schema.object(
        [
            .always("type", Schema.text, "the kind of problem; `about:blank` when the status says it all"),
            .always("title", Schema.text, "the kind of problem in words"),
            .always("status", ["type": "integer", "minimum": 400, "maximum": 599], "the status of the answer"),
            .sometimes("detail", Schema.text, "what is wrong with this request"),
            .sometimes("parameter", Schema.text, "the name of the query parameter that is wrong"),
        ], "What is wrong (RFC 9457).")
}
