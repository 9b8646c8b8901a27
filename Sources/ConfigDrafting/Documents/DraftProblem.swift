internal import Decoding
internal import Products
internal import Text

/// The reason why a config cannot be drafted.
package enum DraftProblem: Error {
    /// The document leaves something open that a setting decides.
    case question(DraftQuestion)
    /// Several such questions. Each later one follows from assumed answers to the earlier ones.
    case questions([DraftQuestion])
    case failure(String)
}

extension DraftProblem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .question(let question): question.description
        case .questions(let questions): questions.map(\.description).joined(separator: "\n")
        case .failure(let text): text
        }
    }
}

/// A question that a document leaves open, with the settings that answer it.
package struct DraftQuestion: Sendable, CustomStringConvertible {
    /// A value of the setting, with its meaning.
    package struct Choice: Sendable {
        package let value: String
        package let meaning: String
    }

    /// The name of the setting.
    package let setting: String
    package let text: String
    /// The candidates; empty where the document shows none.
    package let choices: [Choice]
    /// The form of an answer if there are no candidates.
    let example: String
    /// Another way to answer; empty where there is none.
    private let alternative: String

    init(
        _ setting: String, _ text: String, _ choices: [(String, String)] = [], example: String = "",
        alternative: String = ""
    ) {
        (self.setting, self.text, self.example, self.alternative) = (setting, text, example, alternative)
        self.choices = choices.map { Choice(value: $0, meaning: $1) }
    }

    /// A setting that assumes an answer, to find further questions; nil if none can be assumed.
    package var assumption: String? {
        choices.first?.value ?? (Currency(code: example) == nil ? nil : example)
    }

    /// The question as a terminal shows it.
    package var prompt: String {
        let numbered = choices.enumerated().map { "\n  \($0 + 1)  \($1.value)  \($1.meaning)" }.joined()
        return "\(text)\(numbered)\n\(choices.isEmpty ? setting : "a number, or another \(setting)"): "
    }

    /// Returns the setting's value of an answer: of the choice with this number, or the answer itself.
    package func value(of answer: String) -> String {
        guard let number = Int(answer), choices.indices.contains(number - 1) else { return answer }
        return choices[number - 1].value
    }

    package var description: String {
        guard !choices.isEmpty else {
            return "\(text); state it, such as --set \(setting)=\(example)"
                + (alternative.isEmpty ? "" : ", or \(alternative)")
        }
        let options = choices.map { choice in "\n  --set '\(setting)=\(choice.value)'  \(choice.meaning)" }
        return "\(text); choose one:\(options.joined())"
    }
}

/// The operator's decisions about a draft, by the names of their settings.
package struct DraftSettings: Sendable {
    /// The settings that are no members of a product.
    private static let others = ["items", "item", "language", "type", "price.scale", "price.form"]
    private static let members = [
        "id", "name", "price.amount", "price.currency", "category", "imageURL", "description", "sales",
    ]

    private var values: [String: String] = [:]

    package init() {}

    package subscript(name: String) -> String? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// Reads `NAME=VALUE`.
    /// - Throws: `DraftProblem.failure` for an unknown name, and for a text without a value.
    package mutating func add(_ text: String) throws(DraftProblem) {
        let names = Self.members + Self.others
        guard let sign = text.firstIndex(of: "="), text.index(after: sign) != text.endIndex else {
            throw .failure("--set takes NAME=VALUE, such as price.currency=EUR; found \"\(text.printable)\"")
        }
        let name = String(text[..<sign])
        guard names.contains(name) else {
            let hint = ClosestName.to(name, among: names).map { "did you mean \"\($0)\"?" }
            throw .failure(
                "--set knows no \"\(name.printable)\"; \(hint ?? "it knows \(WordList.enumeration(names))")")
        }
        values[name] = String(text[text.index(after: sign)...])
    }

    /// The currency, if it is stated by its code.
    var currencyCode: String? {
        values["price.currency"].flatMap { text in
            let code = text.uppercased()
            return Currency(code: code) == nil ? nil : code
        }
    }

    /// The members whose places are stated, in the order in which a config has them.
    var statedMembers: [(name: String, path: String)] {
        Self.members.filter { !$0.hasPrefix("price.") }.compactMap { name in values[name].map { (name, $0) } }
    }
}
