/// Why a certificate cannot be served with. Tells nothing of the key.
public enum TLSCertificateError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The chain holds no certificate in PEM form; carries OpenSSL's words.
    case noCertificate(reason: String)
    /// The certificate is too weak to protect anybody; carries OpenSSL's words.
    case weakCertificate(reason: String)
    /// The key is none in PEM form; carries OpenSSL's words.
    case noKey(reason: String)
    /// The key takes a passphrase, and a service has nobody to ask.
    case encryptedKey
    /// The key belongs to another certificate.
    case keyMismatch
    /// OpenSSL failed for another reason; carries its words.
    case failed(reason: String)

    /// Whether it is the key that is at fault.
    public var isAboutKey: Bool {
        switch self {
        case .noKey, .encryptedKey, .keyMismatch: true
        case .noCertificate, .weakCertificate, .failed: false
        }
    }

    /// What is wrong, to be put behind the name of what was read.
    public var description: String {
        switch self {
        case .noCertificate(let reason): "no certificate in PEM form (\(reason))"
        case .weakCertificate(let reason): "the certificate is too weak (\(reason))"
        case .noKey(let reason): "no private key in PEM form (\(reason))"
        case .encryptedKey: "the private key is encrypted; there is nobody to ask for its passphrase"
        case .keyMismatch: "the private key is not the certificate's"
        case .failed(let reason): "OpenSSL cannot use it (\(reason))"
        }
    }
}
