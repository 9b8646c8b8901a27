/* Gives a fuzzer each file of its corpora, at eight alignments. `make check-arm64` runs it where there is no libFuzzer. */
#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool fact, const char *name) {
    if (!fact) {
        perror(name);
        exit(1);
    }
}

static void replay(const char *path) {
    static _Alignas(16) uint8_t bytes[1 << 20];
    FILE *file = fopen(path, "rb");
    require(file != NULL, path);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    require(size < sizeof bytes && !ferror(file), path);
    fclose(file);
    for (size_t offset = 0; offset < 8; offset++) {
        uint8_t *copy = aligned_alloc(16, (offset + size + 15) / 16 * 16 + 16);
        memcpy(copy + offset, bytes, size);
        LLVMFuzzerTestOneInput(copy + offset, size);
        free(copy);
    }
}

int main(int count, char **arguments) {
    int files = 0;
    for (int i = 1; i < count; i++) {
        DIR *folder = opendir(arguments[i]);
        require(folder != NULL, arguments[i]);
        for (struct dirent *entry; (entry = readdir(folder));) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%s", arguments[i], entry->d_name);
            if (entry->d_name[0] != '.') {
                replay(path);
                files++;
            }
        }
        closedir(folder);
    }
    printf("%d inputs at 8 alignments\n", files);
    return files == 0;
}
