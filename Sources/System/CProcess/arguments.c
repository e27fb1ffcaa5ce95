// Captures the command line arguments in a constructor, before main.

static int argument_count;
static char **argument_list;

__attribute__((constructor)) static void keep_arguments(int count, char **list) {
    argument_count = count;
    argument_list = list;
}

// Swift's own implementation finds the arguments by parsing /proc/self/maps for the stack, which takes a tenth of the
// startup time before the worker starts, even when they are not used. These functions replace it in a statically linked
// program. They are weak, so that Swift's versions are linked if their object file ever contains more than these two.

char **_swift_stdlib_getUnsafeArgvArgc(int *count);
void _swift_stdlib_overrideUnsafeArgvArgc(char **list, int count);

__attribute__((weak)) char **_swift_stdlib_getUnsafeArgvArgc(int *count) {
    *count = argument_count;
    return argument_list;
}

__attribute__((weak)) void _swift_stdlib_overrideUnsafeArgvArgc(char **list, int count) {
    argument_list = list;
    argument_count = count;
}
