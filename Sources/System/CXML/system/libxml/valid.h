// Found without a search path of its own: /usr/include has libxml2 one level further in.
#include <libxml2/libxml/valid.h>
