internal import Concurrency
package import Configuration
package import EventLoop
internal import Fleet
package import Logging
internal import Networking
internal import Redis

/// The connection of a shared store in a checked config, to inspect its server without joining its fleet.
package struct SharedStoreConnection: Sendable {
    let settings: @Sendable (Assembly) -> RedisSettings
    let catalogue: String
    let url: String

    /// The state of a server.
    package struct Findings: Sendable {
        /// The server, and its catalogue.
        package var summary: String
        /// Reasons why the server may lose the shared data.
        package var warnings: [String]
    }

    /// The server cannot be used.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The time limit of a connection, and of a reply.
    private static let timeout = Duration.seconds(5)

    /// Connects, reads the server's version, its policies and the pointer of a catalogue, and tries the operations of
    /// replicas as the configured user. Nothing is changed in the end. Settings that a managed service does not reveal
    /// are skipped.
    package func inspect(
        fingerprint: String, on loop: EventLoop, logger: Logger
    ) async throws(Failure) -> Findings {
        var resources = ComponentResources()
        resources.set(logger)
        let settings = settings(Assembly(resources: resources))
        let keys = StorageKeys(name: catalogue, fingerprint: fingerprint, database: settings.url.database)
        // Connected implies subscribed.
        let client = RedisClient(
            loop: loop, settings: settings, channel: RedisStorage.channel(of: keys), logger: logger)
        let running = Task { await client.run() }
        let isConnected = await firstOutcome(within: Self.timeout) {
            // The first attempt counts: the client would retry for ever.
            for await event in client.events {
                switch event {
                case .connected: return true
                case .disconnected: return false
                case .message: continue
                }
            }
            return false
        }
        let result: Result<Findings, Failure>
        if isConnected == true {
            result = await findings(client, keys, logger)
        } else {
            result = .failure(Failure(description: "\(url): \(client.lastReason)\(hint(client.lastReason))"))
        }
        running.cancel()
        await running.value
        return try result.get()
    }

    private func hint(_ reason: String) -> String {
        reason.hasPrefix("NOPERM") ? " (the page Fleet has what the user needs, the channel larder:* among it)" : ""
    }

    private func findings(_ client: RedisClient, _ keys: StorageKeys, _ logger: Logger) async -> Result<
        Findings, Failure
    > {
        do throws(RedisError) {
            if case .error(let text) = try await ask(client, "PING") {
                return .failure(Failure(description: "\(url): \(text)"))
            }
            let info = try await facts(client, "INFO", "server")
            let kept = try await facts(client, "INFO", "persistence")
            let policy = try await facts(client, "INFO", "memory")["maxmemory_policy"]
            let save = try await setting(client, "save")
            var warnings: [String] = []
            if kept.isEmpty {
                warnings.append(
                    "\(url): the user may not run INFO, so that it is not known whether the server keeps what is shared"
                )
            }
            if let policy, policy != "noeviction" {
                warnings.append(
                    "\(url): with maxmemory-policy \(policy) the server may drop what is shared; make it noeviction")
            }
            if kept["aof_enabled"] == "0", save == "" {
                warnings.append("\(url): the server keeps nothing over a restart; turn save or appendonly on")
            } else if kept["aof_enabled"] == "0", save == nil {
                warnings.append(
                    "\(url): appendonly is off, and the user may not see whether save is on; without both the server keeps "
                        + "nothing over a restart")
            }
            let version = info["valkey_version"].map { "Valkey \($0)" } ?? info["redis_version"].map { "Redis \($0)" }
            let storage = RedisStorage(client: client, keys: keys, keep: 1, logger: logger)
            switch await storage.rehearse(within: Self.timeout) {
            case .success([]): break
            case .success(let refusals):
                return .failure(
                    Failure(description: "\(url): replicas could not work: \(refusals.joined(separator: "; "))"))
            case .failure(.refused(let text)):
                return .failure(Failure(description: "\(url): no script can be run: \(text)\(hint(text))"))
            case .failure(let fault): return .failure(Failure(description: "\(url): no script can be run: \(fault)"))
            }
            switch await storage.perform(.read, blob: nil, within: Self.timeout) {
            case .success(.contents(let contents)):
                let state = contents.pointer.map { pointer in
                    "generation \(pointer.generation), revision \(pointer.revision.prefix(12)), \(pointer.count) products, "
                        + "\(pointer.bytes) bytes, by \(pointer.writer)"
                }
                let pin = contents.pin?.pointer.map { "; generation \($0.generation) is pinned" } ?? ""
                return .success(
                    Findings(
                        summary: "\(version ?? "a server") at \(url): "
                            + (state ?? "no catalogue \"\(catalogue)\" of this configuration yet") + pin,
                        warnings: warnings))
            case .success: return .failure(Failure(description: "\(url): an unexpected reply"))
            case .failure(.refused(let text)): return .failure(Failure(description: "\(url): \(text)"))
            case .failure(let fault): return .failure(Failure(description: "\(url): cannot be read: \(fault)"))
            }
        } catch {
            return .failure(Failure(description: "\(url): \(error.reason)"))
        }
    }

    private func ask(_ client: RedisClient, _ words: String...) async throws(RedisError) -> RedisValue {
        try await client.send([words.map { Array($0.utf8) }], within: Self.timeout).first ?? .null
    }

    /// The lines `name:value` of a reply; none if it is refused.
    private func facts(_ client: RedisClient, _ command: String, _ section: String) async throws(RedisError) -> [String:
        String]
    {
        let lines = try await ask(client, command, section).text?.split(whereSeparator: \.isNewline) ?? []
        return lines.reduce(into: [:]) { facts, line in
            guard let colon = line.firstIndex(of: ":") else { return }
            facts[String(line[..<colon])] = String(line[line.index(after: colon)...])
        }
    }

    /// A setting of the server; nil if not revealed.
    private func setting(_ client: RedisClient, _ name: String) async throws(RedisError) -> String? {
        let items = try await ask(client, "CONFIG", "GET", name).items ?? []
        return items.count == 2 ? items[1].text : nil
    }
}

extension ComponentOutline {
    /// The shared stores of this graph, each with its name in metrics, its connection, and the fingerprint of the
    /// shared content.
    package var sharedStores: [(label: String, connection: SharedStoreConnection, fingerprint: String)] {
        all.filter { $0.family == ProviderFamily.noun && $0.type == "caching" }.compactMap { caching in
            guard let store = caching.children.first(where: { $0.outline.isSharedStore })?.outline,
                let connection = store.facts(SharedStoreConnection.self).first,
                let upstream = caching.children.first(where: { $0.role == "upstream" })?.outline
            else { return nil }
            return (store.metricLabel, connection, upstream.contentFingerprint)
        }
    }
}
