internal import CEventShim
internal import Concurrency
internal import FileSystem
package import Logging

/// The PEM files of a client's connections: trusted roots, its own certificate and key. They may be replaced at any time.
///
/// They are read before every request: they are small, and their times and sizes do not always show a change. While one
/// cannot be read in time or they cannot be used together, such as a new certificate beside the old key, the last good
/// ones stay in use, and the log says so once.
package final class TLSFiles: Sendable {
    /// Longer than bundles of certificates.
    private static let longestFile = 4 << 20

    /// The trusted roots; nil for the system's.
    package let roots: String?
    private let certificate: String?
    private let key: String?
    private let logger: Logger
    private let timeout: Duration
    private let disk = BlockingQueue("larder tls files")
    private let state: Mutex<(content: TLSContent, isFailing: Bool)>

    /// - Parameters:
    ///   - content: of the files, as read before.
    ///   - certificate: its issuers may follow it; given together with `key`.
    ///   - timeout: the time limit of a read.
    package init(
        _ content: TLSContent, roots: String?, certificate: String?, key: String?, logger: Logger,
        timeout: Duration = .milliseconds(250)
    ) {
        (self.roots, self.certificate, self.key) = (roots, certificate, key)
        (self.logger, self.timeout) = (logger, timeout)
        state = Mutex((content, false))
    }

    /// Reads the current content, on a thread of its own.
    func current() async -> TLSContent {
        let paths = [roots, certificate, key].compactMap { $0 }.joined(separator: ", ")
        let read = await disk.run(within: timeout) { [self] in Result { try reread() } }
        switch read {
        case .success(let content): return content
        case .failure(let error): return lastGood("\(error)", paths)
        case nil: return lastGood("the disk does not answer", paths)
        }
    }

    private func reread() throws -> TLSContent {
        let content = TLSContent(roots: try read(roots), chain: try read(certificate), key: try read(key))
        let known = state.withLock(\.content)
        if content != known, let problem = content.problem { throw problem }
        let isNew = state.withLock { state in
            defer { state = (content, false) }
            return content != state.content
        }
        if isNew { logger.info("TLS files have changed; new connections use them", metadata: metadata) }
        return content
    }

    private func read(_ path: String?) throws -> [UInt8] {
        guard let path else { return [] }
        let bytes = try Files.read(path, prefix: Self.longestFile)
        // Empty content would mean the system's roots.
        if bytes.isEmpty { throw FileSystemError(.read, path: path, code: 0) }
        return bytes
    }

    private func lastGood(_ error: String, _ paths: String) -> TLSContent {
        let (content, isFirst) = state.withLock { state in
            defer { state.isFailing = true }
            return (state.content, !state.isFailing)
        }
        if isFirst {
            logger.warning(
                "TLS files cannot be used; the last good ones stay in use",
                metadata: metadata.merging(["error": "\(error)"]) { $1 })
        }
        return content
    }

    private var metadata: Logger.Metadata {
        let files = [("ca_file", roots), ("certificate", certificate), ("key", key)]
        return Dictionary(uniqueKeysWithValues: files.compactMap { name, path in path.map { (name, "\($0)") } })
    }
}

/// The content of PEM files; empty for those that are not given.
package struct TLSContent: Sendable, Hashable {
    let roots: [UInt8]
    let chain: [UInt8]
    let key: [UInt8]

    package init(roots: [UInt8] = [], chain: [UInt8] = [], key: [UInt8] = []) {
        (self.roots, self.chain, self.key) = (roots, chain, key)
    }

    /// The reason why the content cannot be used; nil if it can. Contains nothing of the key.
    package var problem: TLSContentProblem? {
        var text = [CChar](repeating: 0, count: 256)
        let made = unsafe roots.withUnsafeBytes { roots in
            unsafe chain.withUnsafeBytes { chain in
                unsafe key.withUnsafeBytes { key in
                    var source = unsafe larder_trust_source(
                        roots: roots.baseAddress?.assumingMemoryBound(to: CChar.self), roots_size: roots.count,
                        chain: chain.baseAddress?.assumingMemoryBound(to: CChar.self), chain_size: chain.count,
                        key: key.baseAddress?.assumingMemoryBound(to: CChar.self), key_size: key.count)
                    return unsafe larder_trust_new(&source, &text, text.count)
                }
            }
        }
        guard unsafe made == nil else {
            unsafe larder_trust_free(made)
            return nil
        }
        return TLSContentProblem(
            description: String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
    }
}

/// The reason why PEM files cannot be used.
package struct TLSContentProblem: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    /// Whether the key is at fault.
    package var isAboutKey: Bool { description.hasPrefix("the key") }
}
