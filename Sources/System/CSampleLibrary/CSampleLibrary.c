// Embeds sample.jsonl at compile time (#embed, C23). There is no logic here and no table of contents: whoever searches
// the lines scans them.

#include "CSampleLibrary.h"

static const unsigned char sample_library[] = {
#embed "sample.jsonl"
};

const unsigned char *sample_library_bytes(void) { return sample_library; }

size_t sample_library_length(void) { return sizeof sample_library; }
