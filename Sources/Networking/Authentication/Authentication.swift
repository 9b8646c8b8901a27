internal import FoundationEssentials
package import Text

/// Authenticates requests to an upstream.
package protocol Authentication: Sendable {
    /// The sensitive headers to send. Read before every request, since secrets are rotated.
    func headers() async -> [HTTPHeader]
    /// Texts to keep out of logs and messages: the secrets and their forms in headers, also the previous ones, since an
    /// upstream may quote the request.
    var secrets: [Secret] { get }
}

/// Adds the headers of an authentication to every request of a session, in place of those of the same names.
package struct AuthenticatedHTTPSession: HTTPSession {
    private let session: any HTTPSession
    private let authentication: any Authentication

    package init(_ session: any HTTPSession, authentication: any Authentication) {
        self.session = session
        self.authentication = authentication
    }

    package func send(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
        var request = request
        request.headers.replace(with: await authentication.headers())
        try Task.checkCancellation()
        return try await session.send(request)
    }
}

/// `Authorization: Basic` of RFC 7617, in UTF-8. The name must not contain a colon.
package struct BasicAuthentication: Authentication {
    let username: String
    let password: Credential

    package init(username: String, password: Credential) {
        self.username = username
        self.password = password
    }

    package func headers() async -> [HTTPHeader] {
        [HTTPHeader("Authorization", sensitive: "Basic \(encoded(await password.current()))")]
    }

    package var secrets: [Secret] { password.known.flatMap { [$0, Secret(encoded($0))] } }

    private func encoded(_ password: Secret) -> String {
        Data("\(username):\(password.reveal())".utf8).base64EncodedString()
    }
}

/// `Authorization: Bearer` of RFC 6750.
package struct BearerAuthentication: Authentication {
    let token: Credential

    package init(token: Credential) {
        self.token = token
    }

    package func headers() async -> [HTTPHeader] {
        [HTTPHeader("Authorization", sensitive: value(await token.current()))]
    }

    package var secrets: [Secret] { token.known.flatMap { [$0, Secret(value($0))] } }

    private func value(_ token: Secret) -> String { "Bearer \(token.reveal())" }
}

/// A key in a header of the upstream's choice.
package struct HeaderAuthentication: Authentication {
    let name: String
    let value: Credential

    package init(name: String, value: Credential) {
        self.name = name
        self.value = value
    }

    package func headers() async -> [HTTPHeader] {
        [HTTPHeader(name, sensitive: await value.current().reveal())]
    }

    package var secrets: [Secret] { value.known }
}
