package import FoundationEssentials
package import HTTPServer
internal import Hashing
package import Text

/// Authenticates a webhook: an HMAC-SHA-256 of the body in a header field, or the secret itself.
package struct HookSignature: Sendable, Hashable {
    /// The known senders.
    package enum Sender: String, Sendable, CaseIterable {
        case shopify, woocommerce, commercetools, github
    }

    /// The text encodings of a code.
    package enum Encoding: String, Sendable, CaseIterable {
        case hex, base64

        fileprivate func text(of code: [UInt8]) -> String {
            switch self {
            case .hex: code.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            case .base64: Data(code).base64EncodedString()
            }
        }
    }

    /// The field with the proof.
    let header: String
    /// nil if the field contains the secret itself.
    let encoding: Encoding?
    /// The text before the code.
    let prefix: String
    /// The field with the time of sending, which is then part of the signature; nil without one.
    let timestamp: String?
    /// The sender; nil for the general form.
    let sender: Sender?

    /// The general form: the code is of `timestamp.body`, or of the body alone.
    package init(header: String, encoding: Encoding, prefix: String, timestamp: String?) {
        (self.header, self.encoding, self.prefix, sender) = (header, encoding, prefix, nil)
        self.timestamp = timestamp
    }

    package init(_ sender: Sender) {
        (self.sender, timestamp) = (sender, nil)
        prefix = sender == .github ? "sha256=" : ""
        switch sender {
        case .shopify: (header, encoding) = ("X-Shopify-Hmac-Sha256", .base64)
        case .woocommerce: (header, encoding) = ("X-WC-Webhook-Signature", .base64)
        // Its extensions send a fixed field, its subscriptions the field configured in the queue.
        case .commercetools: (header, encoding) = ("Authorization", nil)
        case .github: (header, encoding) = ("X-Hub-Signature-256", .hex)
        }
    }

    /// The answer to an accepted delivery. An extension of commercetools that does not get a 200 fails the shop's own
    /// request.
    package var success: HTTPStatus { sender == .commercetools ? .ok : .accepted }

    /// Whether this is the unsigned request with which WooCommerce checks a hook when it is saved. It delivers nothing
    /// before a 200.
    package func isPing(_ request: HTTPRequest) -> Bool {
        guard sender == .woocommerce, request.header(header) == nil, request.bodySize <= 40 else { return false }
        let text = String(decoding: request.body, as: UTF8.self)
        return text.hasPrefix("webhook_id=") && text.dropFirst(11).utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Reads a request's claim to come from the sender; nil without one.
    package func claim(of request: HTTPRequest) -> HookClaim? {
        guard let value = request.header(header), value.hasPrefix(prefix) else { return nil }
        let proof = Array(value.dropFirst(prefix.count).utf8)
        var (sentAt, message) = (nil as Int64?, request.body)
        if let timestamp {
            guard let text = request.header(timestamp), let time = Self.seconds(text) else { return nil }
            sentAt = time
            message = Array("\(text).".utf8) + message
        }
        // An id is not signed: a copied delivery could be replayed with other ids.
        let delivery = SHA256Digest(of: encoding == nil ? message : proof)
        return HookClaim(proof: proof, message: message, sentAt: sentAt, delivery: delivery)
    }

    /// Whether the claim is proven, in time independent of the secret.
    package func isProven(_ claim: HookClaim, by secret: Secret) -> Bool {
        let key = Array(secret.reveal().utf8)
        guard let encoding else {
            return MessageAuthentication.areSame(SHA256Digest(of: claim.proof).bytes, SHA256Digest(of: key).bytes)
        }
        let code = MessageAuthentication.code(of: claim.message, key: key)
        return MessageAuthentication.areSame(claim.proof, Array(encoding.text(of: code).utf8))
    }

    /// Seconds since 1970, in plain digits only.
    private static func seconds(_ text: String) -> Int64? {
        guard (1...12).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int64(text)
    }
}

/// The claim of a request to be a delivery, before it is checked against the secret.
package struct HookClaim: Sendable {
    let proof: [UInt8]
    /// The signed bytes.
    let message: [UInt8]
    /// In seconds since 1970; nil if it is not stated.
    let sentAt: Int64?
    /// Identifies the delivery: the digest of its proof, or of its body if the proof is constant.
    let delivery: SHA256Digest

    /// Whether it was sent within the window around a time, or does not state its time.
    package func isRecent(at now: Date, within window: Duration) -> Bool {
        guard let sentAt else { return true }
        return abs(now.timeIntervalSince1970 - Double(sentAt)) <= window / .seconds(1)
    }
}
