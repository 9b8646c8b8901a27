/// The small letters that have an accent of their own in Unicode, by the bare letter.
///
/// A list, because nothing that the standard library or FoundationEssentials offers takes a letter apart. It holds the
/// composed letters of Latin, Greek, Cyrillic and Arabic scripts; a test holds it against all of Unicode's marks. The
/// letters with a stroke and the ligatures are here by choice.
enum AccentedLetters {
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
