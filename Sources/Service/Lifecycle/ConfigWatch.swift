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
            var known = await contents() ?? [:]
            var last = known
            while (try? await clock.sleep(for: Self.pause)) != nil {
                guard let now = await contents() else { return }
                defer { last = now }
                guard now == last else { continue }
                let changed = now.keys.sorted().first { path in known[path].map { $0 != now[path] } ?? false }
                // A path that a reload has added is known from then on.
                known = now
                guard let changed else { continue }
                logger.notice("a file of the config has changed", metadata: ["path": "\(changed)"])
                source.request()
            }
        }
    }

    /// The digest of each watched file, nil for one that cannot be read. Returns nil once the task is cancelled, also
    /// while the disk hangs.
    private func contents() async -> [String: SHA256Digest?]? {
        let configuration = current.edition.configuration
        guard configuration.service.watchesFiles else { return [:] }
        let paths = configuration.files
        return await firstOutcome { [disk] in
            await disk.run {
                Dictionary(
                    paths.map { ($0, (try? Files.read($0, limit: Self.longestFile)).map { SHA256Digest(of: $0) }) }
                ) { first, _ in first }
            }
        }
    }
}
