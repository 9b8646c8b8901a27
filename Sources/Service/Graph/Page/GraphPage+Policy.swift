internal import Hashing
internal import FoundationEssentials

extension GraphPage {
    /// The page's content security policy: its own script and style and nothing else, from nowhere else.
    static let policy = """
        default-src 'none'; script-src '\(hash(of: script))'; style-src '\(hash(of: style))'; connect-src 'self'; \
        img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
        """

    private static func hash(of text: String) -> String {
        "sha256-" + Data(SHA256Digest(of: text.utf8).bytes).base64EncodedString()
    }
}
