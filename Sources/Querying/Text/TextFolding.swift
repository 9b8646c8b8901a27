/// Removes case and accents, so that `CRÈME`, `crème` and `creme` match each other.
///
/// `ß` becomes `ss`; letters that only look accented, such as `ø`, become their usual substitutes. Accents are removed
/// from Latin, Greek, Cyrillic, Arabic and Hebrew letters; marks that make another letter, as in kana and Indic
/// scripts, stay. Decomposed Hangul becomes syllables. Decomposed kana does not match its composed form.
struct TextFolding {
    private var known: [Unicode.Scalar: String] = [:]

    init() {}

    mutating func folded(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text.lowercased() }
        var folded = ""
        folded.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            if let syllable = HangulSyllable.composed(folded.unicodeScalars.last, scalar) {
                folded.unicodeScalars.removeLast()
                folded.unicodeScalars.append(syllable)
            } else {
                folded += self.folded(scalar)
            }
        }
        return folded
    }

    /// The folded words of a text, in their order.
    mutating func words(of text: String) -> [String] {
        folded(text).unicodeScalars.split(whereSeparator: Self.isSeparator).map { String($0) }
    }

    /// The folded form of an ASCII letter; other characters of ASCII are as they are.
    @inline(__always)
    static func small(_ byte: UInt8) -> UInt8 {
        byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }

    /// The folded form of each character of ASCII; 0 for one that separates words.
    static let wordBytes: [UInt8] = (0..<0x80).map { (byte: UInt8) in
        isSeparator(Unicode.Scalar(small(byte))) ? 0 : small(byte)
    }

    private mutating func folded(_ scalar: Unicode.Scalar) -> String {
        if let folded = known[scalar] { return folded }
        let folded = Self.fold(scalar)
        known[scalar] = folded
        return folded
    }

    /// Maps to capitals first, because several small letters share one: `ς` and `σ`, `ſ` and `s`. Before that to small
    /// letters, because only then `ẞ` has other capitals.
    private static func fold(_ scalar: Unicode.Scalar) -> String {
        guard !scalar.properties.isDefaultIgnorableCodePoint else { return "" }
        let small = scalar.properties.lowercaseMapping.unicodeScalars
        let capitals = small.flatMap(\.properties.uppercaseMapping.unicodeScalars)
        return capitals.flatMap(\.properties.lowercaseMapping.unicodeScalars).filter { !isAccent($0) }
            .reduce(into: "") { $0 += AccentedLetters.bare[$1] ?? String($1) }
    }

    /// Marks above, below or through a letter, and points of Hebrew or Arabic.
    private static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
        let position = scalar.properties.canonicalCombiningClass.rawValue
        return position >= 200 || (10...36).contains(position)
    }

    private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x61...0x7A, 0x30...0x39: return false
        case 0x20: return true
        default: break
        }
        switch scalar.properties.generalCategory {
        case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control, .connectorPunctuation, .dashPunctuation,
            .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation:
            return true
        default:
            return false
        }
    }
}

/// Composes Hangul by the arithmetic of Unicode (chapter 3.12).
private enum HangulSyllable {
    private static let (vowels, endings) = (0x1161..<0x1176 as Range<UInt32>, 0x11A8..<0x11C3 as Range<UInt32>)
    private static let (first, consonant, vowelCount, endingCount) =
        (0xAC00, 0x1100, 21, 28) as (UInt32, UInt32, UInt32, UInt32)

    /// The syllable of a consonant and a vowel, or of a syllable without an ending and an ending; nil for other
    /// letters.
    @inline(__always)
    static func composed(_ before: Unicode.Scalar?, _ next: Unicode.Scalar) -> Unicode.Scalar? {
        guard (0x1161..<0x11C3).contains(next.value), let before = before?.value else { return nil }
        if vowels.contains(next.value), (consonant..<consonant + 19).contains(before) {
            let number = (before - consonant) * vowelCount + next.value - vowels.lowerBound
            return Unicode.Scalar(first + number * endingCount)
        }
        guard endings.contains(next.value), (first..<0xD7A4).contains(before), (before - first) % endingCount == 0
        else {
            return nil
        }
        return Unicode.Scalar(before + next.value - endings.lowerBound + 1)
    }
}

/// The composed small letters of Latin, Greek, Cyrillic and Arabic scripts by their bare letters, and by choice some
/// letters with a stroke and ligatures.
///
/// Neither the standard library nor FoundationEssentials decomposes letters. A test compares the list with Unicode.
private enum AccentedLetters {
    /// The bare letter, or letters, of an accented one.
    static let bare: [Unicode.Scalar: String] = {
        var bare: [Unicode.Scalar: String] = [:]
        for (letter, accented) in families {
            for scalar in accented.unicodeScalars { bare[scalar] = letter }
        }
        return bare
    }()

    private static let families: KeyValuePairs = [
        "a": "àáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ",
        "b": "ḃḅḇ",
        "c": "çćĉċčḉ",
        "d": "ďḋḍḏḑḓđ",
        "e": "èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ",
        "f": "ḟ",
        "g": "ĝğġģǧǵḡ",
        "h": "ĥȟḣḥḧḩḫħ",
        "i": "ìíîïĩīĭįǐȉȋḭḯỉị",
        "j": "ĵ",
        "k": "ķǩḱḳḵ",
        "l": "ĺļľḷḹḻḽł",
        "m": "ḿṁṃ",
        "n": "ñńņňǹṅṇṉṋ",
        "o": "òóôõöōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợøǿ",
        "p": "ṕṗ",
        "r": "ŕŗřȑȓṙṛṝṟ",
        "s": "śŝşšșṡṣṥṧṩ",
        "t": "ţťțṫṭṯṱŧ",
        "u": "ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự",
        "v": "ṽṿ",
        "w": "ŵẁẃẅẇẉ",
        "x": "ẋẍ",
        "y": "ýÿŷȳẏỳỵỷỹ",
        "z": "źżžẑẓẕ",
        "ʒ": "ǯ",
        "α": "άἀἁἂἃἄἅἆἇὰᾰᾱ\u{1F71}",
        "ε": "έἐἑἒἓἔἕὲ\u{1F73}",
        "η": "ήἠἡἢἣἤἥἦἧὴ\u{1F75}",
        "ι": "ίϊἰἱἲἳἴἵἶἷὶῐῑ\u{1F77}",
        "ο": "όὀὁὂὃὄὅὸ\u{1F79}",
        "ρ": "ῥ",
        "υ": "ϋύὑὓὕὗὺῠῡ\u{1F7B}",
        "ω": "ώὠὡὢὣὤὥὦὧὼ\u{1F7D}",
        "ϒ": "ϓϔ",
        "а": "ӑӓ",
        "г": "ѓ",
        "е": "ѐёӗ",
        "ж": "ӂӝ",
        "з": "ӟ",
        "и": "йѝӣӥ",
        "к": "ќ",
        "о": "ӧ",
        "у": "ўӯӱӳ",
        "ч": "ӵ",
        "ы": "ӹ",
        "э": "ӭ",
        "і": "ї",
        "ѵ": "ѷ",
        "ә": "ӛ",
        "ө": "ӫ",
        "\u{627}": "\u{622}\u{623}\u{625}",
        "\u{648}": "\u{624}",
        "\u{64A}": "\u{626}",
        "\u{6C1}": "\u{6C2}",
        "\u{6D2}": "\u{6D3}",
        "\u{6D5}": "\u{6C0}",
        "ae": "æǽǣ",
        "oe": "œ",
    ]
}
