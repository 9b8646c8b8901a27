internal import CEventShim

/// A certificate with its private key, checked and ready to be served with.
@safe
public final class TLSCertificate: @unchecked Sendable {
    /// From when until when it is valid, in seconds since 1970.
    public let validity: (from: Int64, until: Int64)
    let shim: OpaquePointer

    /// Takes a certificate and its key, both in PEM form.
    ///
    /// - Parameters:
    ///   - chain: the server's own certificate, and behind it those that have issued one another.
    ///   - minimumVersion: what clients have to speak at least.
    public init(chain: String, key: String, minimumVersion: TLSVersion) throws(TLSCertificateError) {
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
