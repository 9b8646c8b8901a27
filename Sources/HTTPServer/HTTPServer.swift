internal import CEventShim
internal import Concurrency
package import EventLoop

/// An HTTP/1.1 server for reads on any number of event loops, all of which accept on the same port.
///
/// A request is parsed, answered and written on the loop that accepted its connection. A request with an unexpected
/// body, or with framing that two parsers could read differently, is refused before the handler is called.
///
/// All members may be used from any thread.
package final class HTTPServer: Sendable {
    private enum State {
        case idle
        case starting
        case running(port: UInt16)
        case stopping(port: UInt16)
        case stopped
    }

    let parts: [LoopServer]
    private let addresses: [HTTPAddress]
    private let listened = Mutex<[ListenAddress]>([])
    private let options: HTTPServerOptions
    private let isEncrypted: Bool
    private let certificate: ServedCertificate?
    private let state = Mutex(State.idle)
    private let cut = Mutex(HTTPOpenWork.none)

    /// Makes a server that does not listen yet. Each loop has its own handler, so that loops share no state on every
    /// request.
    ///
    /// - Parameters:
    ///   - addresses: the places to listen on, at least one and at most sixteen.
    ///   - certificate: encrypts the connections; `nil` for plain HTTP.
    ///   - handlers: one per loop, in the order of the loops; see `HTTPHandler` for where they run.
    ///   - onError: receives errors that became a 500. Called on a loop, so it must be quick.
    package init(
        loops: [EventLoop], addresses: [HTTPAddress], options: HTTPServerOptions = HTTPServerOptions(),
        certificate: TLSCertificate? = nil, handlers: [any HTTPPortHandler],
        onError: @escaping @Sendable (any Error, HTTPRequest) -> Void
    ) {
        precondition(handlers.count == loops.count, "\(handlers.count) handlers for \(loops.count) loops")
        parts = zip(loops, handlers).map { LoopServer(loop: $0, handler: $1, onError: onError) }
        self.addresses = addresses
        self.options = options
        isEncrypted = certificate != nil
        self.certificate = certificate.flatMap(ServedCertificate.init)
    }

    /// Makes a server for one address.
    package convenience init(
        loops: [EventLoop], address: HTTPAddress, options: HTTPServerOptions = HTTPServerOptions(),
        certificate: TLSCertificate? = nil, handlers: [any HTTPPortHandler],
        onError: @escaping @Sendable (any Error, HTTPRequest) -> Void
    ) {
        self.init(
            loops: loops, addresses: [address], options: options, certificate: certificate, handlers: handlers,
            onError: onError)
    }

    /// The version of libevent in use, without its distribution's patches.
    package static var libeventVersion: String { unsafe String(cString: larder_libevent_version()) }

    /// The port of the first address, 0 for a Unix socket; `nil` before `start` and after the stop.
    package var port: UInt16? {
        state.withLock { state in
            switch state {
            case .running(let port), .stopping(let port): port
            case .idle, .starting, .stopped: nil
            }
        }
    }

    /// Listens on all loops. If one fails, none listens.
    ///
    /// - Throws: `HTTPServerError`, also if another process uses the port.
    package func start() async throws(HTTPServerError) {
        let isFirst = state.withLock { state in
            guard case .idle = state else { return false }
            state = .starting
            return true
        }
        guard isFirst else { throw .alreadyStarted }
        do {
            let port = try await listen()
            state.withLock { $0 = .running(port: port) }
        } catch {
            closeAddresses()
            throw error
        }
    }

    private func listen() async throws(HTTPServerError) -> UInt16 {
        for address in addresses {
            let opened = try ListenAddress(opening: address, backlog: options.backlog)
            listened.withLock { $0.append(opened) }
        }
        guard let limits = ConnectionLimits(options), isEncrypted == (certificate != nil) else { throw .noResources }
        var port: UInt16 = 0
        for (index, part) in parts.enumerated() {
            do {
                let ports = try await part.listen(
                    on: listened.withLock { $0 }, options, loops: parts.count, limits, certificate)
                listened.withLock { listened in
                    for (index, port) in ports.enumerated() { listened[index].setPort(port) }
                }
                port = ports.first ?? 0
            } catch {
                await close(parts[..<index])
                throw error
            }
        }
        return port
    }

    private func closeAddresses() {
        listened.withLock { listened in
            for index in listened.indices { listened[index].close() }
            listened = []
        }
    }

    /// Uses another certificate for new connections. A server made without a certificate stays plain.
    package func renew(_ certificate: TLSCertificate) {
        self.certificate?.renew(certificate)
    }

    /// The expiry of the certificate for new connections, in seconds since 1970; `nil` for plain HTTP.
    package var certificateValidUntil: Int64? { certificate?.validUntil }

    /// Ends each connection with its next response, while new connections are still accepted.
    package func beginDraining() async {
        for part in parts { await part.beginDraining() }
    }

    /// Stops gracefully: accepts the connections in the backlog, closes idle ones at once and the others after their
    /// response. Closes the rest at the deadline or when the calling task is cancelled. A connection without any
    /// request counts as idle two seconds after it was opened.
    ///
    /// Returns when all connections are closed; does nothing unless running.
    package func stop(deadline: Duration, clock: any Clock<Duration> = ContinuousClock()) async {
        let wasRunning = state.withLock { state in
            guard case .running(let port) = state else { return false }
            state = .stopping(port: port)
            return true
        }
        guard wasRunning else { return }
        for part in parts { await part.endAccepting() }
        closeAddresses()
        state.withLock { $0 = .stopped }
        await withTaskGroup { group in
            group.addTask { [parts] in
                for part in parts { await part.drained() }
            }
            group.addTask { [self] in
                try? await clock.sleep(for: deadline)
                await abort()
            }
            await group.next()
            group.cancelAll()
        }
        for part in parts { await part.close() }
    }

    /// The unfinished work that `stop` cut off; none before that.
    package var cutOff: HTTPOpenWork { cut.withLock { $0 } }

    /// Resets the connections of the slowest readers, by their average over a response, until so many bytes of memory
    /// are released: one loop after the other, in random order. Only bodies with a companion (`HTTPBody.holding`) that
    /// no other client reads count, and only responses that began over a second ago.
    ///
    /// - Returns: the number of bytes released; 0 when no such client is left.
    package func resetSlowestReaders(freeing wanted: Int) async -> Int {
        var freed = 0
        for part in parts.shuffled() where freed < wanted { freed += await part.resetSlowest(freeing: wanted - freed) }
        return freed
    }

    /// Resets the connections of clients that read a body or a part of it, and need longer than
    /// `HTTPServerOptions.writeTimeout` for the rest by their rate so far. A response is spared for a sixteenth of that
    /// time, and for a second.
    ///
    /// - Returns: the number of connections.
    package func resetReaders(of body: HTTPBodyPlace) async -> Int {
        await total { await $0.resetReaders(of: body) }
    }

    /// Closes all connections, and records how much was unfinished.
    private func abort() async {
        let connections = await total { await $0.unfinishedCount() }
        let open = HTTPOpenWork(connections: connections, requests: await outstandingCount())
        cut.withLock { $0 = open }
        for part in parts { await part.abort() }
    }

    /// Reverts a start that failed half-way.
    private func close(_ parts: ArraySlice<LoopServer>) async {
        for part in parts {
            await part.endAccepting()
            await part.abort()
            await part.drained()
            await part.close()
        }
    }
}
