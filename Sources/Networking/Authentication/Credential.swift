public import Configuration
internal import FileSystem
internal import Locks
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
