extension ProductsFailure {
    /// The same failure, without these secrets in the texts that it carries: an upstream may send back what it was
    /// told, and what it sends is quoted.
    public func redacting(_ secrets: [String]) -> ProductsFailure {
        let redaction = Redaction(secrets)
        let failure: ProductsFailure =
            switch self {
            case .unreachable(let reason, let detail, _): .unreachable(reason, detail: redaction.applied(to: detail))
            case .malformed(let detail, _): .malformed(detail: redaction.applied(to: detail))
            case .refused(let reason, _): .refused(reason.redacted(by: redaction))
            case .storeFailed(let detail, let answered):
                .storeFailed(detail: redaction.applied(to: detail), answered: answered)
            default: self
            }
        return failure.from(source.redacted(by: redaction))
    }
}

extension RefusalReason {
    fileprivate func redacted(by redaction: Redaction) -> RefusalReason {
        func text(_ text: String) -> String { redaction.applied(to: text) }
        return switch self {
        case .empty, .shrunken: self
        case .duplicateID(let id, let first, let second): .duplicateID(text(id), first: first, second: second)
        case .duplicateIDOnPages(let id, let first, let second):
            .duplicateIDOnPages(text(id), first: first, second: second)
        case .negativePrice(let id, let position): .negativePrice(id: text(id), position: position)
        case .negativeDenomination(let id, let position): .negativeDenomination(id: text(id), position: position)
        case .badCurrency(let code, let id, let position): .badCurrency(text(code), id: text(id), position: position)
        case .inconsistentPages(let detail): .inconsistentPages(detail: text(detail))
        }
    }
}
