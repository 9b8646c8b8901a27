import Redis
import Testing
import Text

@Suite struct RedisURLTests {
    @Test func `a URL says all that a client needs`() throws {
        let url = try RedisURL("rediss://larder:p%40ss%3A@cache.example:6380/3")
        #expect(url.isTLS)
        #expect((url.host, url.port, url.database) == ("cache.example", 6380, 3))
        #expect(url.username == "larder")
        #expect(url.password?.reveal() == "p@ss:")
        #expect("\(url)" == "rediss://cache.example:6380/3")
    }

    @Test(arguments: [
        ("redis://a", "a", 6379), ("redis://a/", "a", 6379), ("REDIS://a:1/0", "a", 1),
        ("redis://[::1]", "::1", 6379), ("rediss://[fe80::1]:7/2", "fe80::1", 7),
        ("redis://127.0.0.1:65535", "127.0.0.1", 65535),
    ])
    func `port and database have defaults, and an address its brackets`(text: String, host: String, port: Int) throws {
        let url = try RedisURL(text)
        #expect((url.host, url.port) == (host, port))
        #expect(url.username == nil)
        #expect(url.password == nil)
    }

    @Test func `a password needs no user, and a user no password`() throws {
        let password = try RedisURL("redis://:secret@a")
        #expect(password.username == nil)
        #expect(password.password?.reveal() == "secret")
        let user = try RedisURL("redis://larder@a")
        #expect(user.username == "larder")
        #expect(user.password == nil)
    }

    @Test(arguments: [
        ("http://a", RedisURLError.scheme("http")), ("a:6379", .scheme("")), ("redis://", .host),
        ("redis://:6379", .host), ("redis://u@", .host), ("redis://[::1", .host), ("redis://[a]", .host),
        ("redis://a_!", .host), ("redis://a:", .port), ("redis://a:0", .port), ("redis://a:65536", .port),
        ("redis://a:x", .port), ("redis://a/x", .database("x")), ("redis://a/1/2", .database("1/2")),
        ("redis://a/-1", .database("-1")), ("redis://a?x=1", .query), ("redis://u:p#w@a", .query),
        ("redis://u:1/w@a", .query),
        ("redis://u:%zz@a", .encoding("password")), ("redis://u%:p@a", .encoding("user")), ("redis://a b", .characters),
        ("redis://ä", .characters),
    ])
    func `a wrong URL says what is wrong with it`(text: String, error: RedisURLError) {
        #expect(throws: error) { try RedisURL(text) }
    }

    @Test func `an error never holds a password`() {
        for text in ["redis://u:hunter2@a:x", "redis://u:hunter2@", "redis://u:hunter2%@a", "redis://u:123/hunter2@a"] {
            do {
                _ = try RedisURL(text)
                Issue.record("accepted: \(text)")
            } catch {
                #expect(!"\(error)".contains("hunter2"))
            }
        }
    }
}
