import FoundationEssentials
import HTTPServer
import Hashing
import TestSupport
import Testing
import Text
import Webhooks

@Suite struct HookSignatureTests {
    /// The code that GitHub's documentation gives for its secret and its body.
    private static let documented = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
    private static let mug = #"{"id":632910392,"title":"Mug"}"#
    private static let mugCode = "bZzvQ40jBSJovsdrzy+R+Yutn2ia1hfSyCKQ/TKaxhA="

    private func isProven(
        _ signature: HookSignature, secret: String, body: String, _ headers: [(String, String)]
    ) -> Bool {
        let request = HTTPRequest(method: .post, target: "/hooks/shop", headers: headers, body: Array(body.utf8))
        return signature.claim(of: request).map { signature.isProven($0, by: Secret(secret)) } ?? false
    }

    /// RFC 4231, 4.2, 4.3 and 4.7.
    @Test(arguments: [
        (
            [UInt8](repeating: 0x0b, count: 20), "Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xaa, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ])
    func `codes are those of the RFC`(key: [UInt8], message: String, code: String) {
        let bytes = MessageAuthentication.code(of: Array(message.utf8), key: key)
        #expect(bytes.map { String(Int($0) + 256, radix: 16).dropFirst() }.joined() == code)
    }

    @Test func `codes are compared whole`() {
        #expect(MessageAuthentication.areSame([1, 2, 3], [1, 2, 3]))
        #expect(!MessageAuthentication.areSame([1, 2, 3], [1, 2, 4]))
        #expect(!MessageAuthentication.areSame([1, 2, 3], [1, 2]))
        #expect(MessageAuthentication.areSame([], []))
    }

    @Test func `GitHub's own example passes, and nothing near it`() {
        let (signature, secret) = (HookSignature(.github), "It's a Secret to Everybody")
        func passes(_ value: String, _ body: String = "Hello, World!", name: String = "X-Hub-Signature-256") -> Bool {
            isProven(signature, secret: secret, body: body, [(name, value)])
        }
        #expect(passes(Self.documented))
        #expect(passes(Self.documented, name: "x-hub-signature-256"))
        #expect(!passes(Self.documented, "Hello, World?"))
        #expect(!passes(String(Self.documented.dropFirst("sha256=".count))))
        #expect(!passes(String(Self.documented.dropLast())))
        #expect(!passes("sha512=" + Self.documented.dropFirst("sha256=".count)))
        #expect(!passes("sha256="))
        #expect(!passes(Self.documented + ", " + Self.documented))
        #expect(!passes(Self.documented, name: "X-Hub-Signature"))
        #expect(
            !isProven(
                signature, secret: secret + "!", body: "Hello, World!", [("X-Hub-Signature-256", Self.documented)]))
    }

    @Test(arguments: [
        (HookSignature.Sender.shopify, "X-Shopify-Hmac-Sha256"), (.woocommerce, "X-WC-Webhook-Signature"),
    ])
    func `Shopify and WooCommerce send the code in Base64`(sender: HookSignature.Sender, header: String) {
        let signature = HookSignature(sender)
        #expect(isProven(signature, secret: "hush", body: Self.mug, [(header, Self.mugCode)]))
        #expect(!isProven(signature, secret: "hush", body: Self.mug + "\n", [(header, Self.mugCode)]))
        #expect(!isProven(signature, secret: "hush", body: Self.mug, [("X-Other", Self.mugCode)]))
    }

    @Test func `commercetools sends a fixed field`() {
        let signature = HookSignature(.commercetools)
        #expect(isProven(signature, secret: "Bearer hush", body: "{}", [("Authorization", "Bearer hush")]))
        #expect(!isProven(signature, secret: "Bearer hush", body: "{}", [("Authorization", "Bearer hus")]))
        #expect(signature.success == .ok && HookSignature(.github).success == .accepted)
    }

    @Test func `the general form signs the time in front of the body`() throws {
        let signature = HookSignature(
            header: "X-Signature", encoding: .hex, prefix: "v1=", timestamp: "X-Timestamp")
        let code = "v1=ab5a2e6f7ddd4f6783bae7a65618acf1b188b4ca973bbebbbdeb60024ee0f3f3"
        let body = "what do ya want for nothing?"
        func request(_ time: String) -> HTTPRequest {
            HTTPRequest(
                method: .post, target: "/", headers: [("X-Signature", code), ("X-Timestamp", time)],
                body: Array(body.utf8))
        }
        let claim = try #require(signature.claim(of: request("1800000000")))
        #expect(signature.isProven(claim, by: Secret("Jefe")))
        let later = try #require(signature.claim(of: request("1800000001")))
        #expect(!signature.isProven(later, by: Secret("Jefe")))
        for time in ["", "soon", "-1", "+1800000000", "1800000000.0", "18000000000000"] {
            #expect(signature.claim(of: request(time)) == nil, "\(time)")
        }
        let (sent, window) = (Date(timeIntervalSince1970: 1_800_000_000), Duration.seconds(300))
        #expect(claim.isRecent(at: sent.addingTimeInterval(300), within: window))
        #expect(claim.isRecent(at: sent.addingTimeInterval(-300), within: window))
        #expect(!claim.isRecent(at: sent.addingTimeInterval(301), within: window))
        #expect(!claim.isRecent(at: sent.addingTimeInterval(-301), within: window))
    }

    @Test func `no damage to the signature, the time or the body passes`() {
        let signature = HookSignature(header: "X-Signature", encoding: .hex, prefix: "v1=", timestamp: "X-Timestamp")
        let code = "v1=ab5a2e6f7ddd4f6783bae7a65618acf1b188b4ca973bbebbbdeb60024ee0f3f3"
        let right = [code, "1800000000", "what do ya want for nothing?"].map { Array($0.utf8) }
        func passes(_ parts: [[UInt8]]) -> Bool {
            let fields = zip(["X-Signature", "X-Timestamp"], parts).map { ($0, String(decoding: $1, as: UTF8.self)) }
            return isProven(signature, secret: "Jefe", body: String(decoding: parts[2], as: UTF8.self), fields)
        }
        #expect(passes(right))
        var random = SeededGenerator(seed: 26)
        for _ in 0..<20_000 {
            var parts = right
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let part = Int.random(in: 0..<3, using: &random)
                let place = Int.random(in: 0..<max(1, parts[part].count), using: &random)
                let byte = UInt8.random(in: 0x20...0x7E, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0 where !parts[part].isEmpty: parts[part][place] = byte
                case 1 where !parts[part].isEmpty: parts[part].remove(at: place)
                case 2: parts[part].removeLast(min(place, parts[part].count))
                default: parts[part].insert(byte, at: min(place, parts[part].count))
                }
            }
            if parts != right, passes(parts) {
                Issue.record("passes: \(parts.map { String(decoding: $0, as: UTF8.self) })")
            }
        }
    }

    @Test func `only WooCommerce pings, without a signature`() {
        func isPing(_ sender: HookSignature.Sender, _ body: String, signed: Bool = false) -> Bool {
            let headers = signed ? [("X-WC-Webhook-Signature", "x")] : []
            return HookSignature(sender).isPing(
                HTTPRequest(method: .post, target: "/", headers: headers, body: Array(body.utf8)))
        }
        #expect(isPing(.woocommerce, "webhook_id=17"))
        #expect(!isPing(.woocommerce, "webhook_id=17", signed: true))
        #expect(!isPing(.woocommerce, #"{"id":17}"#))
        #expect(!isPing(.woocommerce, "webhook_id=17&x=1"))
        #expect(isPing(.woocommerce, "webhook_id=" + String(repeating: "1", count: 29)))
        #expect(!isPing(.woocommerce, "webhook_id=" + String(repeating: "1", count: 30)))
        #expect(!isPing(.shopify, "webhook_id=17"))
    }
}
