internal import Configuration
internal import Networking

extension FieldReader {
    /// The name of a request header, in lower case, from a required field of type `.string`.
    func requestHeader(_ field: String) -> String {
        let name = string(field)
        if !HTTPHeader(name, "").isSendable {
            report(.error, at: field, "\(node(field)?.found ?? "this") is no name of a header")
        }
        return name.lowercased()
    }
}
