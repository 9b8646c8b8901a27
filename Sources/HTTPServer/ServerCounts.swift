internal import CEventShim
internal import Concurrency
internal import EventLoop

/// Requests that a server's handler was given, by the way that they took.
package struct HTTPHandledCounts: Sendable, Hashable {
    /// Answered at once, before evhttp saw them.
    package internal(set) var fastPath = 0
    /// Parsed by evhttp.
    package internal(set) var evhttp = 0
}

/// The work that a server has not finished at a moment.
package struct HTTPOpenWork: Sendable, Hashable {
    package var connections: Int
    package var requests: Int

    package static let none = HTTPOpenWork(connections: 0, requests: 0)

    package static func + (left: HTTPOpenWork, right: HTTPOpenWork) -> HTTPOpenWork {
        HTTPOpenWork(connections: left.connections + right.connections, requests: left.requests + right.requests)
    }
}

extension HTTPServer {
    package func openWork() async -> HTTPOpenWork {
        HTTPOpenWork(connections: await connectionCount(), requests: await outstandingCount())
    }

    /// Connections open now, on all loops.
    package func connectionCount() async -> Int { await total { await $0.connectionCount() } }

    /// Requests not answered yet, on all loops.
    package func outstandingCount() async -> Int { await total { await $0.outstandingCount() } }

    /// Adds up a number of all loops.
    func total(_ count: (LoopServer) async -> Int) async -> Int {
        var total = 0
        for part in parts { total += await count(part) }
        return total
    }

    /// Counts of refused requests and connections that ended early, for each reason that occurred, on all loops, since
    /// the start; kept after the stop. The router's answers, 404 and 501 among them, are not in it.
    package func refusalCounts() async -> [HTTPRefusal: Int] {
        var total: [HTTPRefusal: Int] = [:]
        for part in parts { total.merge(await part.refusalCounts(), uniquingKeysWith: +) }
        return total
    }

    /// Counts of requests that the handler was given, on all loops, since the start; kept after the stop.
    package func handledCounts() async -> HTTPHandledCounts {
        var total = HTTPHandledCounts()
        for part in parts {
            let counts = await part.handledCounts()
            total.fastPath += counts.fastPath
            total.evhttp += counts.evhttp
        }
        return total
    }
}

extension LoopServer {
    func connectionCount() async -> Int { unsafe await ask { unsafe larder_server_connections($0) } ?? 0 }

    /// Connections with something unfinished on them.
    func unfinishedCount() async -> Int { unsafe await ask { unsafe larder_server_unfinished($0) } ?? 0 }

    func outstandingCount() async -> Int { unsafe await ask { unsafe larder_server_outstanding($0) } ?? 0 }

    /// Refusals so far, also after `close`.
    func refusalCounts() async -> [HTTPRefusal: Int] {
        if let final = final.withLock({ $0 }) { return final.refusals }
        return unsafe await ask { unsafe HTTPRefusal.counts($0) } ?? [:]
    }

    /// Requests so far that the handler was given, also after `close`.
    func handledCounts() async -> HTTPHandledCounts {
        if let final = final.withLock({ $0 }) { return final.handled }
        return await loop.run { [self] in handled }
    }
}
