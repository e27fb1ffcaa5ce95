// libarchive, loaded with dlopen. Prototypes and constants match archive.h and archive_entry.h (libarchive 3).

#include "CArchive.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <sys/types.h>

#define END_OF_ARCHIVE 1
#define OK 0
#define WARNING (-20)
#define FILE_KIND 0100000u
#define FOLDER_KIND 0040000u
#define LINK_KIND 0120000u

struct archive;
struct archive_entry;

static struct {
    struct archive *(*create)(void);
    int (*release)(struct archive *);
    int (*begin)(struct archive *, const void *, size_t);
    int (*next)(struct archive *, struct archive_entry **);
    ssize_t (*data)(struct archive *, void *, size_t);
    const char *(*reason)(struct archive *);
    const char *(*path)(struct archive_entry *);
    const char *(*hardlink)(struct archive_entry *);
    mode_t (*kind)(struct archive_entry *);
    int64_t (*size)(struct archive_entry *);
    int (*has_size)(struct archive_entry *);
} library;

/// Supported formats and filters. Only these are enabled, because some of libarchive's other filters run external
/// programs.
static const char *const supported[] = {
    "archive_read_support_format_tar",   "archive_read_support_format_zip",   "archive_read_support_filter_gzip",
    "archive_read_support_filter_bzip2", "archive_read_support_filter_xz",    "archive_read_support_filter_zstd",
};
enum { SUPPORTED = sizeof supported / sizeof *supported };
static int (*support[SUPPORTED])(struct archive *);

struct carchive {
    struct archive *archive;
    struct archive_entry *entry;
};

bool carchive_load(void) {
    if (library.create != NULL) return true;
    void *handle = dlopen("libarchive.so.13", RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) return false;
    for (size_t i = 0; i < SUPPORTED; i++) {
        support[i] = (int (*)(struct archive *))dlsym(handle, supported[i]);
        if (support[i] == NULL) return false;
    }
    library.release = (int (*)(struct archive *))dlsym(handle, "archive_read_free");
    library.begin = (int (*)(struct archive *, const void *, size_t))dlsym(handle, "archive_read_open_memory");
    library.next = (int (*)(struct archive *, struct archive_entry **))dlsym(handle, "archive_read_next_header");
    library.data = (ssize_t(*)(struct archive *, void *, size_t))dlsym(handle, "archive_read_data");
    library.reason = (const char *(*)(struct archive *))dlsym(handle, "archive_error_string");
    library.path = (const char *(*)(struct archive_entry *))dlsym(handle, "archive_entry_pathname");
    library.hardlink = (const char *(*)(struct archive_entry *))dlsym(handle, "archive_entry_hardlink");
    library.kind = (mode_t(*)(struct archive_entry *))dlsym(handle, "archive_entry_filetype");
    library.size = (int64_t(*)(struct archive_entry *))dlsym(handle, "archive_entry_size");
    library.has_size = (int (*)(struct archive_entry *))dlsym(handle, "archive_entry_size_is_set");
    if (!library.release || !library.begin || !library.next || !library.data || !library.reason || !library.path ||
        !library.hardlink || !library.kind || !library.size || !library.has_size)
        return false;
    library.create = (struct archive *(*)(void))dlsym(handle, "archive_read_new");
    return library.create != NULL;
}

carchive *carchive_open(const void *bytes, size_t count) {
    if (!carchive_load()) return NULL;
    carchive *opened = calloc(1, sizeof *opened);
    if (opened == NULL) return NULL;
    opened->archive = library.create();
    if (opened->archive != NULL) {
        for (size_t i = 0; i < SUPPORTED; i++) support[i](opened->archive);
        // An error here is reported again for the first entry.
        (void)library.begin(opened->archive, bytes, count);
        return opened;
    }
    free(opened);
    return NULL;
}

void carchive_close(carchive *archive) {
    library.release(archive->archive);
    free(archive);
}

int32_t carchive_next(carchive *archive, int32_t *kind) {
    int result = library.next(archive->archive, &archive->entry);
    if (result == END_OF_ARCHIVE) return 0;
    if (result != OK && result != WARNING) return -1;
    switch (library.kind(archive->entry)) {
        case FILE_KIND: *kind = CARCHIVE_FILE; break;
        case FOLDER_KIND: *kind = CARCHIVE_FOLDER; break;
        case LINK_KIND: *kind = CARCHIVE_LINK; break;
        default: *kind = CARCHIVE_OTHER;
    }
    if (library.hardlink(archive->entry) != NULL) *kind = CARCHIVE_LINK;
    return 1;
}

const char *carchive_path(carchive *archive) { return library.path(archive->entry); }

int64_t carchive_size(carchive *archive) {
    return library.has_size(archive->entry) ? library.size(archive->entry) : -1;
}

int64_t carchive_read(carchive *archive, void *bytes, size_t count) {
    ssize_t got = library.data(archive->archive, bytes, count);
    return got < 0 ? -1 : got;
}

const char *carchive_reason(carchive *archive) {
    const char *reason = library.reason(archive->archive);
    return reason != NULL ? reason : "it is damaged";
}
