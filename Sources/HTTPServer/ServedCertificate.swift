internal import CEventShim

/// What the new connections of all loops of a server are encrypted by.
@safe
final class ServedCertificate: @unchecked Sendable {
    let shim: OpaquePointer

    /// `nil` when there is no memory.
    init?(_ certificate: TLSCertificate) {
        guard let made = unsafe larder_tls_new(certificate.shim) else { return nil }
        unsafe shim = made
    }

    deinit { unsafe larder_tls_release(shim) }

    /// Any thread: puts another one in its place.
    func renew(_ certificate: TLSCertificate) {
        unsafe larder_tls_renew(shim, certificate.shim)
    }
}
