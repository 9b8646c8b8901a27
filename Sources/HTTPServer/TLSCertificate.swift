internal import CEventShim
internal import Concurrency

/// A certificate with its private key, checked and ready for use.
@safe
package final class TLSCertificate: @unchecked Sendable {
    /// The validity, in seconds since 1970.
    package let validity: (from: Int64, until: Int64)
    let shim: OpaquePointer

    /// Parses a certificate and its key, both in PEM form.
    ///
    /// - Parameters:
    ///   - chain: the server's own certificate, followed by those of its issuers.
    ///   - minimumVersion: the lowest version that clients may use.
    package init(chain: String, key: String, minimumVersion: TLSVersion) throws(TLSCertificateError) {
        let made = unsafe try Self.make(chain, key, minimumVersion)
        unsafe shim = made
        var validity = (from: Int64(0), until: Int64(0))
        unsafe larder_certificate_validity(made, &validity.from, &validity.until)
        self.validity = validity
    }

    deinit { unsafe larder_certificate_release(shim) }

    private static func make(
        _ chain: String, _ key: String, _ minimum: TLSVersion
    ) throws(TLSCertificateError) -> OpaquePointer {
        var result = LARDER_CERTIFICATE_FAILED
        var made: OpaquePointer?
        var (chain, key) = (chain, key)
        let words = unsafe ShimWords.written { text, size in
            result = chain.withUTF8 { chain in
                key.withUTF8 { key in
                    var source = unsafe larder_certificate_source(
                        chain: chain.baseAddress, chain_size: chain.count, key: key.baseAddress, key_size: key.count,
                        minimum: minimum == .v13 ? LARDER_TLS_1_3 : LARDER_TLS_1_2)
                    return unsafe larder_certificate_new(&source, &made, text, size)
                }
            }
        }
        guard let made = unsafe made else { throw TLSCertificateError(result, words) }
        return unsafe made
    }
}

extension TLSCertificateError {
    fileprivate init(_ result: larder_certificate_result, _ reason: String) {
        switch result {
        case LARDER_CERTIFICATE_MISSING: self = .noCertificate(reason: reason)
        case LARDER_CERTIFICATE_REFUSED: self = .weakCertificate(reason: reason)
        case LARDER_CERTIFICATE_KEY_MISSING: self = .noKey(reason: reason)
        case LARDER_CERTIFICATE_KEY_ENCRYPTED: self = .encryptedKey
        case LARDER_CERTIFICATE_KEY_MISMATCH: self = .keyMismatch
        default: self = .failed(reason: reason)
        }
    }
}

/// The reason why a certificate cannot be used. Contains nothing of the key.
package enum TLSCertificateError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The chain contains no certificate in PEM form; with OpenSSL's message.
    case noCertificate(reason: String)
    /// The certificate is too weak; with OpenSSL's message.
    case weakCertificate(reason: String)
    /// The key is not in PEM form; with OpenSSL's message.
    case noKey(reason: String)
    /// The key is encrypted, and a service cannot prompt for a passphrase.
    case encryptedKey
    /// The key belongs to another certificate.
    case keyMismatch
    /// OpenSSL failed for another reason; with its message.
    case failed(reason: String)

    /// Whether the key is at fault.
    package var isAboutKey: Bool {
        switch self {
        case .noKey, .encryptedKey, .keyMismatch: true
        case .noCertificate, .weakCertificate, .failed: false
        }
    }

    /// The fault, to follow the name of the file.
    package var description: String {
        switch self {
        case .noCertificate(let reason): "no certificate in PEM form (\(reason))"
        case .weakCertificate(let reason): "the certificate is too weak (\(reason))"
        case .noKey(let reason): "no private key in PEM form (\(reason))"
        case .encryptedKey: "the private key is encrypted, and a service cannot prompt for a passphrase"
        case .keyMismatch: "the private key is not the certificate's"
        case .failed(let reason): "OpenSSL cannot use it (\(reason))"
        }
    }
}

/// The lowest version of TLS that clients may use. The raw value is the spelling in config files.
package enum TLSVersion: String, Sendable, Hashable, CaseIterable {
    case v12 = "1.2"
    case v13 = "1.3"
}

/// The certificate for new connections on all loops of a server.
@safe
final class ServedCertificate: @unchecked Sendable {
    let shim: OpaquePointer
    private let until: Mutex<Int64>

    /// `nil` when there is no memory.
    init?(_ certificate: TLSCertificate) {
        guard let made = unsafe larder_tls_new(certificate.shim) else { return nil }
        unsafe shim = made
        until = Mutex(certificate.validity.until)
    }

    deinit { unsafe larder_tls_release(shim) }

    /// The expiry, in seconds since 1970.
    var validUntil: Int64 { until.withLock { $0 } }

    /// Any thread: replaces the certificate.
    func renew(_ certificate: TLSCertificate) {
        unsafe larder_tls_renew(shim, certificate.shim)
        until.withLock { $0 = certificate.validity.until }
    }
}
