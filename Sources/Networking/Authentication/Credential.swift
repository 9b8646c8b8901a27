internal import Concurrency
internal import FileSystem
package import Logging
package import Text

/// A constant secret, or the content of a file that may be replaced at any time.
///
/// The file is read before every use: it is small, and its time and size do not always show a change. While it cannot
/// be read in time or its content cannot be sent, the last good secret stays in use, and the log says so once.
package final class Credential: Sendable {
    private struct State: Sendable {
        var secret: Secret
        /// A request may still use it.
        var previous: Secret?
        var isFailing = false
    }

    /// Larger than any token, and small enough to be read for every request.
    private static let longestFile = 64 * 1024

    private let path: String?
    private let form: SecretForm
    private let logger: Logger
    private let timeout: Duration
    private let disk = BlockingQueue("larder secret")
    private let state: Mutex<State>

    /// - Parameters:
    ///   - secret: the first value.
    ///   - path: the file that it was read from; nil for a secret that never changes.
    ///   - form: required of the file's content.
    ///   - timeout: the time limit of a read.
    package init(
        _ secret: Secret, path: String? = nil, form: SecretForm = .headerValue, logger: Logger,
        timeout: Duration = .milliseconds(250)
    ) {
        self.path = path
        self.timeout = timeout
        self.form = form
        self.logger = logger
        state = Mutex(State(secret: secret))
    }

    /// Reads the current secret; a file on a thread of its own, with a time limit short enough for a request.
    package func current() async -> Secret {
        guard let path else { return state.withLock(\.secret) }
        return await disk.run(within: timeout) { [self] in reread(path) } ?? lastGood("\(path) does not answer")
    }

    /// The last secret read, and the one before it.
    var known: [Secret] {
        let (secret, previous) = state.withLock { ($0.secret, $0.previous) }
        return [secret] + (previous.map { [$0] } ?? [])
    }

    private func reread(_ path: String) -> Secret {
        do {
            let secret = try read(path)
            return state.withLock { state in
                let isNew = secret.reveal() != state.secret.reveal()
                state = State(secret: secret, previous: isNew ? state.secret : state.previous)
                return secret
            }
        } catch {
            return lastGood("\(error)")
        }
    }

    private func lastGood(_ error: String) -> Secret {
        let (secret, isFirst) = state.withLock { state in
            defer { state.isFailing = true }
            return (state.secret, !state.isFailing)
        }
        if isFirst {
            logger.warning(
                "a secret's file cannot be used; the last good secret stays in use",
                metadata: ["path": "\(path ?? "")", "error": "\(error)"])
        }
        return secret
    }

    private func read(_ path: String) throws -> Secret {
        let bytes = try Files.read(path, prefix: Self.longestFile + 1)
        guard bytes.count <= Self.longestFile else { throw UnusableSecret.tooLong(limit: Self.longestFile) }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw UnusableSecret.notUTF8 }
        let marked = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
        let secret = Secret(String(marked)).trimmed
        if let problem = form.problem(with: secret) { throw problem }
        return secret
    }
}

/// The syntax required of a secret.
package enum SecretForm: Sendable, Hashable {
    /// The value of a header: a line break could add more headers.
    case headerValue
    /// A token without spaces and without the word `Bearer`.
    case bearerToken

    /// The reason why a secret cannot be sent; nil if it can.
    package func problem(with secret: Secret) -> UnusableSecret? {
        let text = secret.reveal()
        if text.isEmpty { return .empty }
        if !HTTPHeader.isSendable(value: text) { return .notSendable }
        return self == .bearerToken && !Self.isBearerToken(text) ? .notBearerToken : nil
    }

    /// Accepts more than RFC 6750, since tokens with a bar or a colon are in use. A space shows that something else was
    /// copied along, such as the word `Bearer`.
    private static func isBearerToken(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
    }
}

extension Secret {
    /// The secret without surrounding white space, which editors and shells leave in files.
    package var trimmed: Secret {
        let text = reveal().drop(while: \.isWhitespace)
        return Secret(String(text.dropLast(text.reversed().prefix(while: \.isWhitespace).count)))
    }
}

/// The reason why a file's content cannot be a secret. Never contains the content.
package enum UnusableSecret: Error, Sendable, Hashable, CustomStringConvertible {
    case empty
    case notUTF8
    case notSendable
    case notBearerToken
    case tooLong(limit: Int)

    package var description: String {
        switch self {
        case .empty: "the file is empty"
        case .notUTF8: "the file is not UTF-8 text"
        case .notSendable: "the file holds characters that cannot be sent in a header"
        case .notBearerToken: "the file holds characters that cannot be in a bearer token"
        case .tooLong(let limit): "the file is longer than \(limit) bytes"
        }
    }
}
