// The program's arguments, as the C library hands them to what runs before main.

static int argument_count;
static char **argument_list;

__attribute__((constructor)) static void keep_arguments(int count, char **list) {
    argument_count = count;
    argument_list = list;
}

// Swift's own way to them is to look through /proc/self/maps for the stack they lie on, which takes a tenth of the time
// that a short run has before its worker starts, even in a program that never asks. These stand in for it in a statically
// linked program; they are weak, so that Swift's are linked as soon as there is more to them than these two.

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
