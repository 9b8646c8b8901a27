package import Concurrency
internal import FoundationEssentials
package import HTTPServer
internal import JSON
internal import Networking
package import OpenAPI
package import Webhooks

/// `POST /hooks/{name}`: a hint from the upstream that its products have changed.
///
/// The response does not depend on the refresh, so that the sender need not wait. A repeated delivery gets the response
/// of the first one, since senders repeat a delivery whose response was lost.
package struct HookHandler: HTTPHandler {
    package static let pattern: RoutePattern = "/hooks/{name}"

    private let hooks: [String: Hook]
    private let wallClock: WallClock

    package init(hooks: [Hook], wallClock: WallClock) {
        self.hooks = Dictionary(hooks.map { ($0.rules.name, $0) }) { first, _ in first }
        self.wallClock = wallClock
    }

    package func respond(to request: HTTPRequest) throws -> EventualResponse {
        guard let hook = hooks[request.pathParameters["name"] ?? ""] else {
            throw ProblemDetails(status: .notFound, detail: "there is no hook of this name")
        }
        let signature = hook.rules.signature
        guard request.bodySize <= hook.rules.maxBody else {
            hook.refuse(request, .oversized)
            throw ProblemDetails(status: .contentTooLarge, detail: "the body is too long for this hook")
        }
        if signature.isPing(request) {
            hook.count(.ping)
            return .ready(Self.response(.ok))
        }
        guard let claim = signature.claim(of: request) else { return .ready(refused(.forged, request, hook)) }
        guard claim.isRecent(at: wallClock.now(), within: hook.rules.window) else {
            return .ready(refused(.stale, request, hook))
        }
        return .pending {
            guard signature.isProven(claim, by: await hook.credential.current()) else {
                return refused(.forged, request, hook)
            }
            hook.accept(claim)
            return Self.response(signature.success)
        }
    }

    /// The longest body that the hook of a path accepts.
    package func bodyLimit(of head: HTTPRequest) -> Int {
        hooks[head.pathParameters["name"] ?? ""]?.rules.maxBody ?? 0
    }

    private static func response(_ status: HTTPStatus) -> HTTPResponse {
        HTTPResponse(status: status, headers: ["Cache-Control": "no-store"])
    }

    /// A 401 that reveals nothing to a forger, except that the age in the request is too great.
    private func refused(_ outcome: Hook.Outcome, _ request: HTTPRequest, _ hook: Hook) -> HTTPResponse {
        hook.refuse(request, outcome)
        let detail = outcome == .stale ? "the delivery is too old" : "the delivery is not signed correctly"
        return ProblemDetails(status: .unauthorized, detail: detail)
            .response(headers: ["WWW-Authenticate": "Signature"])
    }
}

extension HookHandler {
    package var description: RouteDescription {
        let name = ParameterDescription(
            name: "name", place: .path, meaning: "The hook's name.", schema: Schema.choice(of: hooks.keys.sorted()))
        var description = RouteDescription(
            id: "callHook", summary: "A hint that the products have changed", parameters: [name],
            responses: [
                ResponseDescription(
                    status: 200, meaning: "The hint is accepted, or the sender has tested the hook.",
                    fields: [.cacheControl]),
                ResponseDescription(
                    status: 202, meaning: "The hint is accepted, or was accepted before.", fields: [.cacheControl]),
                .problem(400, "The path is not properly percent-encoded."),
                .problem(401, "The signature is missing, wrong or too old.", fields: [.authenticate]),
                .problem(404, "There is no hook of this name."),
                .problem(413, "The body is too long for the hook."),
            ], waits: true)
        description.details = "For the shop's own webhooks, signed with a secret. Their content is not read."
        description.method = .post
        description.hasBody = true
        return description
    }
}
