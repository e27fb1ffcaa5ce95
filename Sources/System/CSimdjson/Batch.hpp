// The memory of parsed documents: two arrays a batch, and a pool of batches that are used again. Nothing here knows
// simdjson. For CSimdjson.cpp alone.

#pragma once

#include "CSimdjson.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>

namespace {

/// Bytes that grow and are never cleared: std::vector would zero what the parser overwrites anyway.
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

/// Batches that nobody uses, kept for the next block. Shared by a parser and all batches that came from it.
struct Pool {
    std::mutex mutex;
    sj_batch *spare[4] = {};
    size_t count = 0;

    ~Pool();
    sj_batch *take() noexcept;
    void give(sj_batch *batch) noexcept;
};

/// A batch that grew beyond this is freed, not kept.
constexpr size_t largestSpare = size_t(8) << 20;
/// Scratch space for input beyond this is freed after use.
constexpr size_t largestScratch = size_t(1) << 20;

}  // namespace

struct sj_batch {
    Array<uint64_t> tape;
    Array<uint8_t> strings;
    Array<Document> documents;
    Array<sj_bad_line> bad;
    size_t lines = 0;
    /// Set while somebody owns the batch, so that a spare one does not keep its own pool alive.
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
