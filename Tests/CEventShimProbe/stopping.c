#define _GNU_SOURCE
#include "scenarios.h"
#include "tls_client.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { crowd = 100 };

static int fds[crowd];

static void order_stop(void) {
    larder_server_set_draining(server);
    larder_server_stop_accepting(server);
    larder_server_close_idle(server);
}

/* They wait in the kernel's queue when the order comes, which takes several passes to empty. */
static void stop_with_a_queue(void) {
    for (int i = 0; i < crowd; i++) {
        fds[i] = client(0);
    }
    order_stop();
}

/* Before, for what is answered on the fast path. */
static void ask(void) {
    int fd = client(0);
    client_send(fd, REQUEST("/before"));
    require(client_expect(fd, "/before"), "an answer before");
    close(fd);
}

static void queued(void) {
    ask();
    on_loop(stop_with_a_queue);
    usleep(20000);
    for (int i = 0; i < crowd; i++) {
        client_send(fds[i], REQUEST("/queued"));
    }
    for (int i = 0; i < crowd; i++) {
        require(client_expect(fds[i], "Connection: close") && client_expect(fds[i], "/queued"), "queued: served");
        close(fds[i]);
    }
    wait_until(has_drained, "drained");
}

static bool somebody_is_connected(void) {
    return larder_server_connections(server) > 0;
}

static void silent(void) {
    ask();
    wait_until(nothing_is_connected, "nobody is connected");
    int fd = client(0);
    wait_until(somebody_is_connected, "connected");
    on_loop(order_stop);
    require(client_read_to_end(fd) == 0, "silent: closed in the end");
    close(fd);
    wait_until(has_drained, "drained");
}

static void encrypted(void) {
    int begins = client(0);
    SSL *before = tls_client(0, NULL, TLS1_3_VERSION);
    tls_send(before, REQUEST("/before"));
    require(tls_expect(before, "/before"), "an answer before");
    tls_close(before);
    SSL *ready = tls_client(0, NULL, TLS1_3_VERSION);
    on_loop(order_stop);
    usleep(20000);
    tls_send(ready, REQUEST("/ready"));
    require(tls_expect(ready, "Connection: close") && tls_expect(ready, "/ready"), "after its handshake: served");
    SSL *late = tls_client_over(begins);
    tls_send(late, REQUEST("/late"));
    require(tls_expect(late, "Connection: close") && tls_expect(late, "/late"), "before its handshake: served");
    tls_close(ready);
    tls_close(late);
    wait_until(has_drained, "drained");
}

void stopping(larder_server_options options, bool is_prompt) {
    larder_limits *limits = larder_limits_new(0, 0);
    options.limits = limits;
    options.head_deadline = 1500;
    harness_start(&options, is_prompt);
    queued();
    harness_stop();
    harness_start(&options, is_prompt);
    silent();
    harness_stop();
    larder_certificate *certificate = tls_certificate("first");
    options.tls = larder_tls_new(certificate);
    larder_certificate_release(certificate);
    harness_start(&options, is_prompt);
    encrypted();
    harness_stop();
    tls_clients_free();
    larder_tls_release(options.tls);
    larder_limits_release(limits);
}

static void close_queues(void) {
    DIR *folder = opendir("/proc/self/fd");
    struct dirent *entry;
    char target[64];
    while ((entry = readdir(folder))) {
        ssize_t size = readlinkat(dirfd(folder), entry->d_name, target, sizeof target - 1);
        target[size > 0 ? size : 0] = '\0';
        if (strcmp(target, "anon_inode:[eventpoll]") == 0) {
            close(atoi(entry->d_name));
        }
    }
    closedir(folder);
}

static void ignore(void *context) {
    (void)context;
}

static void child(int output) {
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    dup2(output, STDERR_FILENO);
    larder_loop *loop = larder_loop_new(ignore, NULL);
    larder_loop_start(loop, "lost");
    close_queues();
    larder_loop_wake(loop);
    sleep(10);
    _exit(0);
}

void loop_without_its_queue(void) {
    int ends[2], status = 0;
    require(pipe(ends) == 0, "pipe");
    pid_t pid = fork();
    if (pid == 0) {
        child(ends[1]);
    }
    close(ends[1]);
    char words[4096] = "";
    FILE *from = fdopen(ends[0], "r");
    words[fread(words, 1, sizeof words - 1, from)] = '\0';
    fclose(from);
    waitpid(pid, &status, 0);
    require(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "the process ends with its loop");
    require(strstr(words, "event loop ended") != NULL, "and says so");
}
