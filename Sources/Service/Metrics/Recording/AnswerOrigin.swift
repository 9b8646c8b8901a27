internal import Products

/// Where the catalogue of an answer came from, for metrics.
enum AnswerOrigin: String, Sendable, CaseIterable {
    /// It was kept, and nobody was asked.
    case memory
    case network
    case store
    case bundled

    init(_ answer: borrowing ProductsAnswer) {
        if answer.isHit {
            self = .memory
        } else {
            switch answer.snapshot.origin {
            case .network: self = .network
            case .store: self = .store
            case .bundled: self = .bundled
            }
        }
    }

    /// Its place among all.
    var place: Int {
        switch self {
        case .memory: 0
        case .network: 1
        case .store: 2
        case .bundled: 3
        }
    }
}
