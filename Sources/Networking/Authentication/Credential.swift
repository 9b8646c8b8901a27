public import Configuration
internal import FileSystem
internal import Locks
public import Logging

/// A secret that stands in the config, or in a file that somebody else may replace at any time.
///
/// The file is read anew whenever the secret is wanted: it is small, and its time and size do not always tell that it
/// was rewritten. While it cannot be read, or holds nothing to send, the last good secret stays, and the log says so
/// once.
public final class Credential: Sendable {
    private struct State: Sendable {
        var secret: Secret
        var isFailing = false
    }

    /// Larger than any token, and small enough to be read for every request.
    private static let longestFile = 64 * 1024

    private let path: String?
    private let logger: Logger
    private let state: Mutex<State>

    /// Creates a credential.
    ///
    /// - Parameters:
    ///   - secret: what it is to begin with.
    ///   - path: the file that it was read from; nil for a secret that never changes.
    public init(_ secret: Secret, path: String? = nil, logger: Logger) {
        self.path = path
        self.logger = logger
        state = Mutex(State(secret: secret))
    }

    /// The secret as it is now. A file is read off the event loops.
    public func current() async -> Secret {
        guard let path else { return state.withLock(\.secret) }
        return await withTaskExecutorPreference(globalConcurrentExecutor) { reread(path) }
    }

    private func reread(_ path: String) -> Secret {
        do {
            let secret = try Self.read(path)
            return state.withLock { state in
                state = State(secret: secret)
                return secret
            }
        } catch {
            let (secret, isNews) = state.withLock { state in
                defer { state.isFailing = true }
                return (state.secret, !state.isFailing)
            }
            if isNews {
                logger.warning(
                    "a secret's file cannot be used; the last good secret stays",
                    metadata: ["path": "\(path)", "error": "\(error)"])
            }
            return secret
        }
    }

    private static func read(_ path: String) throws -> Secret {
        let bytes = try Files.read(path, prefix: longestFile + 1)
        guard bytes.count <= longestFile else { throw UnusableSecret.tooLong(limit: longestFile) }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw UnusableSecret.notUTF8 }
        let marked = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
        guard let end = marked.lastIndex(where: { !$0.isNewline }) else { throw UnusableSecret.empty }
        let secret = Secret(String(marked[...end]))
        guard secret.isSendable else { throw UnusableSecret.notSendable }
        return secret
    }
}
