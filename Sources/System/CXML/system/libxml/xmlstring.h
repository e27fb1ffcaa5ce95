// Forwarding header: libxml2 includes <libxml/…>, but Debian installs it under /usr/include/libxml2.
#include <libxml2/libxml/xmlstring.h>
