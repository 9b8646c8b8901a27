internal import Concurrency
public import Configuration
internal import FileSystem
public import Logging

/// A secret that stands in the config, or in a file that somebody else may replace at any time.
///
/// The file is read anew whenever the secret is wanted: it is small, and its time and size do not always tell that it
/// was rewritten. While it cannot be read, its disk does not answer, or it holds nothing to send, the last good secret
/// stays, and the log says so once.
public final class Credential: Sendable {
    private struct State: Sendable {
        var secret: Secret
        /// The one before, which may still be on its way.
        var previous: Secret?
        var isFailing = false
    }

    /// Larger than any token, and small enough to be read for every request.
    private static let longestFile = 64 * 1024

    private let path: String?
    private let form: SecretForm
    private let logger: Logger
    private let patience: Duration
    private let disk = BlockingQueue("larder secret")
    private let state: Mutex<State>

    /// Creates a credential.
    ///
    /// - Parameters:
    ///   - secret: what it is to begin with.
    ///   - path: the file that it was read from; nil for a secret that never changes.
    ///   - form: what the file must hold to be used.
    ///   - patience: how long a reading is waited for.
    public init(
        _ secret: Secret, path: String? = nil, form: SecretForm = .headerValue, logger: Logger,
        patience: Duration = .milliseconds(250)
    ) {
        self.path = path
        self.patience = patience
        self.form = form
        self.logger = logger
        state = Mutex(State(secret: secret))
    }

    /// The secret as it is now. A file is read on a thread of its own, and waited for no longer than a request can
    /// afford.
    public func current() async -> Secret {
        guard let path else { return state.withLock(\.secret) }
        return await disk.run(within: patience) { [self] in reread(path) } ?? lastGood("\(path) does not answer")
    }

    /// The secret as it was when it was last wanted, and the one before it.
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

    /// - Parameter error: why there is none that is newer.
    private func lastGood(_ error: String) -> Secret {
        let (secret, isNews) = state.withLock { state in
            defer { state.isFailing = true }
            return (state.secret, !state.isFailing)
        }
        if isNews {
            logger.warning(
                "a secret's file cannot be used; the last good secret stays",
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

extension FieldReader {
    /// The credential in `field` or in the file that `<field>_file` names, as the code that makes it. Declare both with
    /// `FieldSpec.secretOrFile`. White space around what a file holds does not count.
    public func credential(
        _ field: String, _ form: SecretForm = .headerValue
    ) -> @Sendable (Assembly) -> Credential {
        let found = isEmptyText(field) ? Secret("") : secretOrFile(field)
        let path = isSound ? optionalPath(field + "_file") : nil
        let secret = path == nil ? found : found.trimmed
        let place = path == nil ? field : field + "_file"
        if has(place), isSound || !secret.reveal().isEmpty, let problem = form.problem(with: secret) {
            report(.error, at: place, sentence(problem, at: place))
        }
        return { assembly in Credential(secret, path: path, form: form, logger: assembly.resource(Logger.self)) }
    }

    /// Whether a field is there and says nothing, as one does that names an empty environment variable.
    private func isEmptyText(_ field: String) -> Bool {
        guard !has(field + "_file"), let node = node(field), !node.isBroken else { return false }
        return node.text?.isEmpty ?? false
    }

    /// Nothing of the secret itself: what is quoted is the file's path, or what names the environment variable.
    private func sentence(_ problem: UnusableSecret, at field: String) -> String {
        switch problem {
        case .empty: "\"\(field)\": \(node(field)?.found ?? "this") is empty"
        case .notBearerToken:
            "\"\(field)\" is no bearer token: one has visible ASCII characters only, and no space; "
                + "the word \"Bearer\" is not part of it"
        case .notSendable, .notUTF8, .tooLong: "\"\(field)\" holds characters that cannot be sent in a header"
        }
    }
}

/// What a secret has to look like where it is sent.
public enum SecretForm: Sendable, Hashable {
    /// What can stand in a header: one with a line break could add headers of its own.
    case headerValue
    /// A token without spaces; the word `Bearer` is not part of it.
    case bearerToken

    /// Why a secret cannot be sent; nil when it can.
    func problem(with secret: Secret) -> UnusableSecret? {
        let text = secret.reveal()
        if text.isEmpty { return .empty }
        if !HTTPHeader.isSendable(value: text) { return .notSendable }
        return self == .bearerToken && !Self.isBearerToken(text) ? .notBearerToken : nil
    }

    /// More than RFC 6750 names, since tokens with a bar or a colon in them are about; what a space in one shows is that
    /// the word `Bearer`, or something else, has been copied with it.
    private static func isBearerToken(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
    }
}

extension Secret {
    /// The secret without white space around it, which editors and shells leave in files.
    var trimmed: Secret {
        let text = reveal().drop(while: \.isWhitespace)
        return Secret(String(text.dropLast(text.reversed().prefix(while: \.isWhitespace).count)))
    }
}

/// Why what a file holds cannot be a secret. The text itself is never part of it.
enum UnusableSecret: Error, Sendable, Hashable, CustomStringConvertible {
    case empty
    case notUTF8
    case notSendable
    case notBearerToken
    case tooLong(limit: Int)

    var description: String {
        switch self {
        case .empty: "the file is empty"
        case .notUTF8: "the file is not UTF-8 text"
        case .notSendable: "the file holds characters that cannot be sent in a header"
        case .notBearerToken: "the file holds characters that cannot be in a bearer token"
        case .tooLong(let limit): "the file is longer than \(limit) bytes"
        }
    }
}
