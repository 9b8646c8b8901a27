internal import Configuration
package import HTTPServer
package import Products
internal import Text
internal import Wiring

/// Why an order cannot be carried out.
package enum OrderProblem: Error, Sendable, Hashable, CustomStringConvertible, HTTPResponseError {
    case unknownNode(String, known: [String])
    case unknownStore(String, known: [String])
    /// Several components match; carries the parameter that selects one.
    case ambiguous(String, known: [String])
    case noStore
    case noMemory
    /// No memory serves the pins of this store.
    case unpinnable(String)
    case noGeneration(String, store: String)
    case nothingQuarantined
    case failed(ProductsFailure, store: String)

    package var description: String {
        switch self {
        case .unknownNode(let node, let known): "there is no node \"\(node)\" for this" + Self.instead(known)
        case .unknownStore(let store, let known): "there is no store \"\(store)\"" + Self.instead(known)
        case .ambiguous(let parameter, let known):
            "the graph has several; name one with \"\(parameter)\"" + Self.instead(known)
        case .noStore: "the graph has no store that keeps generations"
        case .noMemory: "nothing in the graph keeps answers, so there is nothing to refresh"
        case .unpinnable(let store):
            "no generation of store \"\(store)\" can be pinned; \(ComponentOutline.wayToPins)"
        case .noGeneration(let wanted, let store): "store \"\(store)\" has no generation \(wanted)"
        case .nothingQuarantined: "no such catalogue is in quarantine"
        case .failed(let failure, let store): "store \"\(store)\": \(failure)"
        }
    }

    private static func instead(_ known: [String]) -> String {
        known.isEmpty ? "" : "; there is \(WordList.enumeration(quoting: known))"
    }

    package var response: HTTPResponse { ProblemDetails(status: status, detail: description).response() }

    private var status: HTTPStatus {
        switch self {
        case .unknownNode, .unknownStore, .noGeneration, .nothingQuarantined: .notFound
        case .ambiguous: .badRequest
        case .noStore, .noMemory, .unpinnable: .conflict
        case .failed: .serviceUnavailable
        }
    }

    /// Adds the store's name to the errors of its history.
    package static func reading<Value: Sendable>(
        _ store: String, _ wanted: String = "like this", _ read: () async throws(ProductsFailure) -> Value
    ) async throws(OrderProblem) -> Value {
        do throws(ProductsFailure) {
            return try await read()
        } catch .notStored {
            throw .noGeneration(wanted, store: store)
        } catch {
            throw .failed(error, store: store)
        }
    }
}
