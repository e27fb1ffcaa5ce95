// Memory of parsed documents: two arrays per batch, and a pool that reuses batches. It does not depend on simdjson and
// is included by CSimdjson.cpp only.

#pragma once

#include "CSimdjson.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>

namespace {

/// A growable array without initialization; std::vector would zero memory that the parser overwrites anyway.
template <typename T> struct Array {
    T *items = nullptr;
    size_t count = 0;
    size_t capacity = 0;

    Array() = default;
    Array(const Array &) = delete;
    Array &operator=(const Array &) = delete;
    ~Array() { std::free(items); }

    bool reserve(size_t extra) noexcept {
        if (extra <= capacity - count) return true;
        size_t wanted = std::max(count + extra, capacity * 2);
        void *grown = std::realloc(items, wanted * sizeof(T));
        if (!grown) return false;
        items = static_cast<T *>(grown);
        capacity = wanted;
        return true;
    }

    bool append(const T &item) noexcept {
        if (!reserve(1)) return false;
        items[count++] = item;
        return true;
    }
};

struct Document {
    size_t tape;
    size_t strings;
    uint32_t line;
};

/// Unused batches for later parses. Shared by a parser and all batches that it created.
struct Pool {
    std::mutex mutex;
    sj_batch *spare[4] = {};
    size_t count = 0;

    ~Pool();
    sj_batch *take() noexcept;
    void give(sj_batch *batch) noexcept;
};

/// Larger batches are freed instead of pooled.
constexpr size_t largestSpare = size_t(8) << 20;
/// Scratch space for larger input is freed after use.
constexpr size_t largestScratch = size_t(1) << 20;

}  // namespace

struct sj_batch {
    Array<uint64_t> tape;
    Array<uint8_t> strings;
    Array<Document> documents;
    Array<sj_bad_line> bad;
    size_t lines = 0;
    /// Set while the batch is in use, so that a pooled batch does not keep its own pool alive.
    std::shared_ptr<Pool> pool;

    void clear() noexcept {
        tape.count = strings.count = documents.count = bad.count = lines = 0;
    }
    size_t bytes() const noexcept { return tape.capacity * sizeof(uint64_t) + strings.capacity; }
};

namespace {

Pool::~Pool() {
    for (size_t i = 0; i < count; i++) delete spare[i];
}

sj_batch *Pool::take() noexcept {
    {
        std::lock_guard<std::mutex> guard(mutex);
        if (count > 0) return spare[--count];
    }
    return new (std::nothrow) sj_batch();
}

void Pool::give(sj_batch *batch) noexcept {
    batch->clear();
    if (batch->bytes() <= largestSpare) {
        std::lock_guard<std::mutex> guard(mutex);
        if (count < sizeof spare / sizeof *spare) {
            spare[count++] = batch;
            return;
        }
    }
    delete batch;
}

}  // namespace
