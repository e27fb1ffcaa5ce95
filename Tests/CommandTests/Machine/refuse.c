// Runs a program on a machine that refuses some system calls: refuse CALL[:ARGUMENT:MASK:VALUE]=ERRNO… -- PROGRAM …
// A call is refused if that argument, masked, has that value.

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int count, char **words) {
    struct sock_filter filter[128];
    unsigned short n = 0;
    int i = 1;
    for (; i < count && strcmp(words[i], "--") != 0 && n < 100; i++) {
        unsigned call, argument = 0, mask = 0, value = 0, error = EPERM;
        if (sscanf(words[i], "%u:%u:%u:%u=%u", &call, &argument, &mask, &value, &error) != 5 &&
            sscanf(words[i], "%u=%u", &call, &error) != 2) {
            return 99;
        }
        filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
        filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4);
        filter[n++] = (struct sock_filter)BPF_STMT(
            BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, args) + 8 * argument);
        filter[n++] = (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, mask);
        filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
        filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error);
    }
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {n, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        return 98;
    }
    execv(words[i + 1], words + i + 1);
    return 97;
}
