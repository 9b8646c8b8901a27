internal import Configuration
internal import Decoding

extension FieldReader {
    /// Reads `format` and `delimiter` of `decode`, and reports keys that do not fit the format.
    func documentFormat() -> (format: DocumentFormat, delimiter: UInt8?) {
        let format = choice("format", DocumentFormat.self)
        let (items, item) = (optionalString("items"), optionalString("item"))
        switch format {
        case .json: break
        case .xml where items == nil && isSound:
            report(
                .error, at: "format",
                "xml needs \"items\", the names from the root to the repeated element, like rss.channel.item")
        case .xml: break
        case .jsonl, .csv, .tsv:
            if items != nil {
                report(.error, at: "items", "\"items\" is of json and xml; each line of \(format.rawValue) is an item")
            }
            if item != nil, format != .jsonl {
                report(.error, at: "item", "\"item\" is of objects within objects, which \(format.rawValue) has not")
            }
        }
        return (format, delimiter(of: format))
    }

    private func delimiter(of format: DocumentFormat) -> UInt8? {
        guard let text = optionalString("delimiter") else { return nil }
        guard format == .csv else {
            report(.error, at: "delimiter", "\"delimiter\" is of csv")
            return nil
        }
        guard text.utf8.count == 1, let byte = text.utf8.first, byte != UInt8(ascii: "\""),
            byte == UInt8(ascii: "\t") || text.allSatisfy({ $0.isPunctuation || $0.isSymbol })
        else {
            report(.error, at: "delimiter", "\"delimiter\": expected one sign, like ;")
            return nil
        }
        return byte
    }
}
