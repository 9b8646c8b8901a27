/// The fenced blocks of a Markdown text that are in one language.
struct MarkdownBlocks {
    struct Block {
        /// The line of the fence above it, from 1.
        let line: Int
        var text: String
    }

    private(set) var blocks: [Block] = []

    init(_ text: String, language: String) {
        var open: Block?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line == "```\(language)" {
                open = Block(line: index + 1, text: "")
            } else if line == "```" {
                if let block = open { blocks.append(block) }
                open = nil
            } else {
                open?.text += "\(line)\n"
            }
        }
    }
}
