// Nothing but the header: SwiftPM asks for a source.

#include "CField.h"
