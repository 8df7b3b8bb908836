// Runs the lanes of a group as fibers: a barrier switches to the next lane.  A group is a compute
// workgroup or a quad of fragments.  The order of the lanes turns around with every round, so that
// a missing barrier shows.
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

typedef void (*Thunk)(long group, int lane, void* arguments);

struct Lane {
    ucontext_t context;
    char* stack;
    bool ended;
    char slot[64];
};

static const size_t STACK = 96 * 1024;
static Lane* lanes;
static int count, current;
static ucontext_t host;
static Thunk thunk;
static void* arguments;
static long group;
static unsigned char* gone;

extern "C" {

void msl_barrier() { swapcontext(&lanes[current].context, &host); }
int msl_lane() { return current; }
void* msl_slot(int lane) { return lanes[lane].slot; }
void msl_discard() { gone[group * count + current] = 1; }

}

static void trampoline() {
    thunk(group, current, arguments);
    lanes[current].ended = true;
    swapcontext(&lanes[current].context, &host);
}

static void start(int i) {
    Lane& lane = lanes[i];
    if (!lane.stack) lane.stack = (char*)malloc(STACK);
    memset(lane.slot, 0, sizeof lane.slot);
    lane.ended = false;
    getcontext(&lane.context);
    lane.context.uc_stack.ss_sp = lane.stack;
    lane.context.uc_stack.ss_size = STACK;
    lane.context.uc_link = 0;
    makecontext(&lane.context, trampoline, 0);
}

// Whether every lane that waited in a round waited with all the others.
static bool run_group() {
    bool together = true;
    for (int i = 0; i < count; i++) start(i);
    for (int round = 0;; round++) {
        int waiting = 0, ended = 0;
        for (int k = 0; k < count; k++) {
            current = round & 1 ? k : count - 1 - k;
            if (lanes[current].ended) {
                ended++;
                continue;
            }
            swapcontext(&host, &lanes[current].context);
            lanes[current].ended ? ended++ : waiting++;
        }
        if (waiting && ended) together = false;
        if (!waiting) return together;
    }
}

// Runs `groups` groups of `size` lanes; `fibers` tells whether lanes meet at barriers.
// Gives whether all barriers were met by all lanes.
extern "C" int msl_run(
    Thunk function, void* given, long groups, int size, int fibers, unsigned char* discarded) {
    static int room;
    if (size > room) {
        lanes = (Lane*)realloc(lanes, size * sizeof(Lane));
        memset((void*)(lanes + room), 0, (size - room) * sizeof(Lane));
        room = size;
    }
    thunk = function, arguments = given, count = size, gone = discarded;
    bool together = true;
    for (group = 0; group < groups; group++) {
        if (fibers) {
            together = run_group() && together;
        } else {
            for (current = 0; current < count; current++) thunk(group, current, arguments);
        }
    }
    return together;
}
