/// The methods a request template may use: those that give back a body.
public enum RequestMethod: String, Sendable, CaseIterable {
    case get = "GET"
    case post = "POST"
}
