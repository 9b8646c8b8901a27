/// Values that are not in the file in this form: made by the program, or parts of a text in the file.
extension ConfigNode {
    /// A text of the program, at the position of the value that it was derived from. It is not plain if it may need
    /// quotes.
    package init(word text: String, isPlain: Bool = true, at position: SourcePosition) {
        self.init(.scalar(text: text, isPlain: isPlain), at: position)
    }

    /// A mapping that the program makes of entries.
    package init(_ entries: [Entry], at position: SourcePosition) {
        self.init(.mapping(entries), at: position)
    }

    /// A value in place of one whose problem has been reported, which readers do not report again.
    package static func broken(at position: SourcePosition) -> ConfigNode {
        ConfigNode(.null, at: position, isBroken: true)
    }

    /// Whether the text names environment variables.
    package var isInterpolated: Bool { !pieces.isEmpty }

    /// The part of the text between two offsets in its UTF-8, with the variables in it; nil if a variable's value lies
    /// only partly in it, or an empty one at its border.
    package func part(_ range: Range<Int>) -> ConfigNode? {
        guard case .scalar(let text, let isPlain) = content else { return nil }
        let bytes = Array(text.utf8)
        let part = String(decoding: bytes[range], as: UTF8.self)
        guard isInterpolated else { return ConfigNode(.scalar(text: part, isPlain: isPlain), at: position) }
        var (start, kept) = (0, [] as [Interpolation.Piece])
        for piece in pieces {
            let own = start..<start + piece.value.utf8.count
            start = own.upperBound
            if own.isEmpty {
                let isOutside = own.lowerBound < range.lowerBound || own.lowerBound > range.upperBound
                let isAtBorder = [range.lowerBound, range.upperBound].contains(own.lowerBound)
                if isAtBorder, own.lowerBound > 0, own.lowerBound < bytes.count { return nil }
                if !isOutside { kept.append(piece) }
                continue
            }
            let common = own.clamped(to: range)
            if common.isEmpty { continue }
            guard common == own || piece.isPlain else { return nil }
            let value = String(decoding: bytes[common], as: UTF8.self)
            kept.append(common == own ? piece : Interpolation.Piece(written: value, value: value, isPlain: true))
        }
        let isVaried = kept.contains { !$0.isPlain }
        return ConfigNode(
            .scalar(text: part, isPlain: false), at: position, pieces: isVaried ? kept : [],
            variables: isVaried ? variables : [])
    }

    /// The text with another one behind it.
    package func followed(by suffix: String) -> ConfigNode {
        guard case .scalar(let text, let isPlain) = content, !suffix.isEmpty else { return self }
        let more = Interpolation.Piece(written: suffix, value: suffix, isPlain: true)
        return ConfigNode(
            .scalar(text: text + suffix, isPlain: isPlain), at: position, pieces: pieces.isEmpty ? [] : pieces + [more],
            variables: variables, isBroken: isBroken)
    }

    /// The text with its parts besides variables changed; nil if one of them cannot be.
    package func changingPlainText(_ change: (String) -> String?) -> ConfigNode? {
        guard case .scalar(let text, let isPlain) = content else { return self }
        guard isInterpolated else {
            return change(text).map { ConfigNode(.scalar(text: $0, isPlain: isPlain), at: position) }
        }
        var changed: [Interpolation.Piece] = []
        for piece in pieces {
            guard piece.isPlain else {
                changed.append(piece)
                continue
            }
            // A dollar sign at the end would escape the variable behind it.
            guard let text = change(piece.value), !text.hasSuffix("$") else { return nil }
            changed.append(Interpolation.Piece(written: Interpolation.literal(text), value: text, isPlain: true))
        }
        return ConfigNode(
            .scalar(text: changed.map(\.value).joined(), isPlain: false), at: position, pieces: changed,
            variables: variables)
    }
}
