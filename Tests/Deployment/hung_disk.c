// For LD_PRELOAD: calls on what is below HUNG_DISK_PATH hang as long as their bit is set in the eight bytes of the file
// HUNG_DISK, which may change while the program runs. So does getaddrinfo for names that end in ".drill", which are the
// loopback address.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// In the order of CALLS in hung_disk.py.
enum { OPEN, READ, WRITE, FSYNC, RENAME, LOCK, STAT, UNLINK, READDIR, MKDIR, TRUNCATE, RESOLVE };

static const volatile uint64_t *hung;
static const char *disk;

__attribute__((constructor)) static void open_control(void) {
    const char *path = getenv("HUNG_DISK");
    int file = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC) : -1;
    void *shared = file < 0 ? MAP_FAILED : mmap(NULL, sizeof *hung, PROT_READ, MAP_SHARED, file, 0);
    disk = getenv("HUNG_DISK_PATH");
    if (shared != MAP_FAILED && disk) hung = shared;
}

static int hangs(int call) { return hung && (*hung >> call & 1); }

static void hang(int call) {
    while (hangs(call)) nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
}

static void at_path(int call, const char *path) {
    if (hangs(call) && path && strncmp(path, disk, strlen(disk)) == 0) hang(call);
}

static void at_file(int call, int file) {
    if (!hangs(call)) return;
    char link[32], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    long length = syscall(SYS_readlink, link, path, sizeof path - 1);
    if (length <= 0) return;
    path[length] = 0;
    at_path(call, path);
}

#define REAL(name) \
    static __typeof__(&name) real; \
    if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

#define OPENED(name) \
    int name(const char *path, int flags, ...) { \
        REAL(name); \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
        va_end(rest); \
        at_path(OPEN, path); \
        return real(path, flags, mode); \
    }
OPENED(open)
OPENED(open64)

ssize_t read(int file, void *bytes, size_t count) { REAL(read); at_file(READ, file); return real(file, bytes, count); }
ssize_t write(int file, const void *bytes, size_t count) { REAL(write); at_file(WRITE, file); return real(file, bytes, count); }
int fsync(int file) { REAL(fsync); at_file(FSYNC, file); return real(file); }
int rename(const char *path, const char *to) { REAL(rename); at_path(RENAME, path); return real(path, to); }
int flock(int file, int operation) { REAL(flock); at_file(LOCK, file); return real(file, operation); }
int stat(const char *path, struct stat *found) { REAL(stat); at_path(STAT, path); return real(path, found); }
int fstat(int file, struct stat *found) { REAL(fstat); at_file(STAT, file); return real(file, found); }
int unlink(const char *path) { REAL(unlink); at_path(UNLINK, path); return real(path); }
DIR *opendir(const char *path) { REAL(opendir); at_path(READDIR, path); return real(path); }
struct dirent *readdir(DIR *stream) { REAL(readdir); at_file(READDIR, dirfd(stream)); return real(stream); }
int mkdir(const char *path, mode_t mode) { REAL(mkdir); at_path(MKDIR, path); return real(path, mode); }
int ftruncate(int file, off_t size) { REAL(ftruncate); at_file(TRUNCATE, file); return real(file, size); }

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
    REAL(getaddrinfo);
    const char *end = name ? strrchr(name, '.') : NULL;
    if (!end || strcmp(end, ".drill") != 0) return real(name, service, hints, found);
    hang(RESOLVE);
    return real("127.0.0.1", service, hints, found);
}
