internal import Concurrency
internal import FileSystem
internal import Hashing
internal import Logging
internal import ServiceLifecycle

/// Requests a reload when the config file, or a file that it names, has other content.
///
/// The content is compared, not its time: a mounted ConfigMap is replaced by a link, and a copied file may keep its
/// time. A change counts once it has stayed the same for one pause, so that a half-written file is not read.
struct ConfigWatch: Service {
    private static let pause = Duration.seconds(1)
    private static let longestFile = 64 << 20

    let current: CurrentEdition
    let source: ReloadSource
    let logger: Logger
    var clock: any Clock<Duration> = ContinuousClock()
    private let disk = BlockingQueue("larder watch")

    init(current: CurrentEdition, source: ReloadSource, logger: Logger, clock: any Clock<Duration> = ContinuousClock())
    {
        (self.current, self.source, self.logger, self.clock) = (current, source, logger, clock)
    }

    func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            var (known, last) = (await contents(), [String: SHA256Digest?]())
            last = known
            while (try? await clock.sleep(for: Self.pause)) != nil {
                let now = await contents()
                defer { last = now }
                guard now == last, let path = Self.changed(from: known, to: now) else { continue }
                known = now
                guard current.edition.configuration.service.watchesFiles else { continue }
                logger.notice("a file of the config has changed", metadata: ["path": "\(path)"])
                source.request()
            }
        }
    }

    /// The first path whose content differs. A path that a reload has added is not a change.
    private static func changed(from known: [String: SHA256Digest?], to now: [String: SHA256Digest?]) -> String? {
        now.keys.sorted().first { path in known[path].map { $0 != now[path] } ?? false }
    }

    /// The digest of each file, nil for one that cannot be read.
    private func contents() async -> [String: SHA256Digest?] {
        let paths = current.edition.configuration.files
        return await disk.run {
            Dictionary(
                paths.map { ($0, (try? Files.read($0, limit: Self.longestFile)).map { SHA256Digest(of: $0) }) }
            ) { first, _ in first }
        }
    }
}
