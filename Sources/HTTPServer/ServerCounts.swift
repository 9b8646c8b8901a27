internal import CEventShim
internal import Concurrency
internal import EventLoop

/// Requests that reached the handler, by path.
package struct HTTPHandledCounts: Sendable, Hashable {
    /// Answered at once, before evhttp parsed them.
    package internal(set) var fastPath = 0
    /// Parsed by evhttp.
    package internal(set) var evhttp = 0
}

/// The unfinished work of a server.
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

    /// Sums a number over all loops.
    func total(_ count: (LoopServer) async -> Int) async -> Int {
        var total = 0
        for part in parts { total += await count(part) }
        return total
    }

    /// Counts of refused requests and of connections that ended early, by reason, on all loops, since the start; kept
    /// after the stop. Does not include the router's responses, such as 404 and 501.
    package func refusalCounts() async -> [HTTPRefusal: Int] {
        var total: [HTTPRefusal: Int] = [:]
        for part in parts { total.merge(await part.refusalCounts(), uniquingKeysWith: +) }
        return total
    }

    /// Counts of requests that reached the handler, on all loops, since the start; kept after the stop.
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
    func connectionCount() async -> Int { unsafe await onLoop { unsafe larder_server_connections($0) } ?? 0 }

    /// Connections with unfinished work.
    func unfinishedCount() async -> Int { unsafe await onLoop { unsafe larder_server_unfinished($0) } ?? 0 }

    func outstandingCount() async -> Int { unsafe await onLoop { unsafe larder_server_outstanding($0) } ?? 0 }

    /// Refusals so far, also after `close`.
    func refusalCounts() async -> [HTTPRefusal: Int] {
        if let final = final.withLock({ $0 }) { return final.refusals }
        return unsafe await onLoop { unsafe HTTPRefusal.counts($0) } ?? [:]
    }

    /// Requests that reached the handler so far, also after `close`.
    func handledCounts() async -> HTTPHandledCounts {
        if let final = final.withLock({ $0 }) { return final.handled }
        return await loop.run { [self] in handled }
    }
}
