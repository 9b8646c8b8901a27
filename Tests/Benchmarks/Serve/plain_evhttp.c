// A peer for Larder: evhttp as its manual shows it, with default flags, sending bodies from memory.
// It is also the origin that nginx and Varnish fill their caches from.
//
// plain_evhttp PORT [TARGET CODING TAG FILE]...     CODING is identity or gzip
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct representation {
    const char *target, *coding, *tag;
    char *bytes;
    size_t length;
};

static struct representation all[16];
static size_t count;

static void load(struct representation *one, char **words) {
    FILE *file = fopen(words[3], "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) exit(1);
    *one = (struct representation){ .target = words[0], .coding = words[1], .tag = words[2], .length = ftell(file) };
    one->bytes = malloc(one->length);
    rewind(file);
    if (!one->bytes || fread(one->bytes, 1, one->length, file) != one->length) exit(1);
    fclose(file);
}

static const struct representation *find(const char *target, const char *coding) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(all[i].target, target) == 0 && strcmp(all[i].coding, coding) == 0) return &all[i];
    return NULL;
}

static void answer(struct evhttp_request *request, void *unused) {
    (void)unused;
    struct evkeyvalq *asked = evhttp_request_get_input_headers(request);
    struct evkeyvalq *headers = evhttp_request_get_output_headers(request);
    const char *codings = evhttp_find_header(asked, "Accept-Encoding");
    int takes_gzip = codings && strstr(codings, "gzip");
    const struct representation *found = find(evhttp_request_get_uri(request), takes_gzip ? "gzip" : "identity");
    if (!found) {
        evhttp_send_error(request, HTTP_NOTFOUND, NULL);
        return;
    }
    evhttp_add_header(headers, "Content-Type", "application/json");
    evhttp_add_header(headers, "ETag", found->tag);
    evhttp_add_header(headers, "Cache-Control", "public, max-age=5, stale-while-revalidate=60, stale-if-error=604800");
    if (takes_gzip) evhttp_add_header(headers, "Content-Encoding", "gzip");
    const char *known = evhttp_find_header(asked, "If-None-Match");
    if (known && strcmp(known, found->tag) == 0) {
        evhttp_send_reply(request, HTTP_NOTMODIFIED, "Not Modified", NULL);
        return;
    }
    evbuffer_add_reference(evhttp_request_get_output_buffer(request), found->bytes, found->length, NULL, NULL);
    evhttp_send_reply(request, HTTP_OK, "OK", NULL);
}

int main(int words, char **word) {
    signal(SIGPIPE, SIG_IGN);
    for (int i = 2; i + 3 < words && count < sizeof all / sizeof *all; i += 4) load(&all[count++], word + i);
    struct event_base *base = event_base_new();
    struct evhttp *server = evhttp_new(base);
    evhttp_set_gencb(server, answer, NULL);
    if (words < 2 || evhttp_bind_socket(server, "127.0.0.1", (ev_uint16_t)atoi(word[1])) != 0) return 1;
    return event_base_dispatch(base);
}
