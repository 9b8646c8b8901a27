import Decoding
import DecodingFuzzing

#if canImport(Glibc)
    import Glibc
#endif

/// The format of all inputs, by the variable of `Tests/Fuzz/fuzz.py`.
private let format = unsafe getenv("LARDER_FUZZ_FORMAT").flatMap {
    unsafe DocumentFormat(rawValue: String(cString: $0))
}

/// Checks an input of libFuzzer; `make fuzz` builds and runs it.
@_cdecl("LLVMFuzzerTestOneInput")
public func checkOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    do {
        try unsafe MappedProperties.check(UnsafeBufferPointer(start: bytes, count: count), as: format ?? .json)
    } catch {
        fatalError("\(error)")
    }
    return 0
}
