/*
 * What a piece can take in Turkish and Frisian draughts: the loops of sweep.py and trails.py, compiled.
 *
 * First those of sweep.py; those of trails.py are at the end.
 *
 * sweep.py explains the method and is the reference: the same captures by the same ways in the same order, some ten times as
 * slowly. Whoever changes one changes the other; tests hold them together. speedups.py loads this file by ctypes. It is plain
 * C11 without Python.h: it calls nothing, allocates nothing, and keeps nothing between two calls but in the caller's space.
 * So it cannot run out of memory, and threads may call it at once, each with a space of its own.
 *
 * Squares are bits of 64, row by row from Black's side; on Python's side there is a ninth bit after each row (field.py).
 * Ways have the numbers they have there: 0 a row up, 1 left, 2 right, 3 a row down, so that 3 - way is the way back.
 *
 * Bounds. Of at most 16 pieces that may be taken there are at most 2^16 sets, for each of which there is a place. Each leap
 * takes one away, so a set is come to after one number of leaps only and goes into the queue once, and no capture has more
 * than 16 leaps. Whatever the arguments are, nothing outside the space is touched.
 */

#include <stddef.h>
#include <stdint.h>

#ifndef ZEITNOT_SOURCE
#define ZEITNOT_SOURCE "" /* by hand: taken for stale, see setup.py */
#endif

#define EXPORT __attribute__((visibility("default")))

#define MOST_PREY 16
#define WAYS 4

typedef uint64_t squares;
typedef uint16_t prey; /* pieces that may be taken, as bits in the order of their squares */

/* Where a piece may stand from which it may go on in each of the ways. */
struct standing {
    squares in[WAYS];
};

struct space {
    struct standing at[1 << MOST_PREY]; /* by what is left; all zero but for what is in the queue */
    prey queue[1 << MOST_PREY];         /* what may be left, in the order in which it was come to */
    uint32_t length;                    /* of the queue */
    uint32_t last;                      /* where in it the captures that take most begin */
    squares blocked;                    /* who stays where he is, the capturing piece left out */
    squares low[256], high[256];        /* the squares of eight pieces each that may be taken */
    uint8_t number[64];                 /* which of them stands on a square */
    prey all;
    uint32_t ways;
    uint32_t far; /* a king: over any distance */
};

/* One capture, for the caller. */
struct capture {
    squares taken;
    uint8_t path[MOST_PREY]; /* the squares landed on; as many as were taken */
};

#define LEFTMOST UINT64_C(0x0101010101010101)

static inline int lowest(squares some) { return __builtin_ctzll(some); }
static inline int highest(squares some) { return 63 - __builtin_clzll(some); }

static inline squares step(squares from, int way)
{
    switch (way) {
    case 0:
        return from >> 8;
    case 1:
        return (from & ~LEFTMOST) >> 1;
    case 2:
        return (from & ~(LEFTMOST << 7)) << 1;
    default:
        return from << 8;
    }
}

/* ``from`` and all squares to which a king goes on from there by ``empty`` ones. */
static inline squares slide(squares from, int way, squares empty)
{
    static const int distance[WAYS] = {8, 1, 1, 8};
    int by = distance[way];
    /* Twice as far each time; a row ends where no step comes. */
    empty &= way == 1 ? ~(LEFTMOST << 7) : way == 2 ? ~LEFTMOST : ~UINT64_C(0);
    for (int round = 0; round < 3; round++, by *= 2) {
        if (way < 2) {
            from |= empty & from >> by;
            empty &= empty >> by;
        } else {
            from |= empty & from << by;
            empty &= empty << by;
        }
    }
    return from;
}

static inline squares squares_of(const struct space *space, prey some)
{
    return space->low[some & 255] | space->high[some >> 8];
}

/* The ways in which who came by ``way`` may go on: nobody turns about. */
static inline uint32_t onward(const struct space *space, int way) { return space->ways & ~(1u << (3 - way)); }

/* All leaps in one way with ``left`` on the board. */
static inline void leap(struct space *space, prey left, int way)
{
    squares from = space->at[left].in[way];
    if (!from)
        return;
    squares there = squares_of(space, left);
    squares empty = ~(space->blocked | there);
    squares reach = space->far ? slide(from, way, empty) : from;
    squares hit = step(reach, way) & there & step(empty, 3 - way);
    uint32_t on = onward(space, way);
    while (hit) {
        squares one = hit & -hit;
        hit ^= one;
        squares behind = step(one, way);
        if (space->far)
            behind = slide(behind, way, empty);
        prey then = left ^ (prey)(1u << space->number[lowest(one)]);
        squares *in = space->at[then].in;
        if (!(in[0] | in[1] | in[2] | in[3]))
            space->queue[space->length++] = then;
        for (int next = 0; next < WAYS; next++)
            if (on >> next & 1)
                in[next] |= behind;
    }
}

/* Sets into their order: the numbers' own, the least first (heap sort, which needs no room and has no bad case). */
static void sort(prey *some, uint32_t length)
{
    for (uint32_t heap = length / 2, end = length; end > 1;) {
        prey sunk;
        if (heap) {
            sunk = some[--heap];
        } else {
            sunk = some[--end];
            some[end] = some[0];
        }
        uint32_t at = heap;
        for (uint32_t child; (child = 2 * at + 1) < end; at = child) {
            if (child + 1 < end && some[child + 1] > some[child])
                child++;
            if (some[child] <= sunk)
                break;
            some[at] = some[child];
        }
        some[at] = sunk;
    }
}

/* Squares of eight rows of nine bits. */
static squares squeeze(squares low, uint32_t high)
{
    squares found = 0;
    for (int row = 0; row < 7; row++)
        found |= (low >> 9 * row & 255) << 8 * row;
    return found | ((squares)(low >> 63 | (high & 127) << 1)) << 56;
}

static squares any_way(const struct space *space, prey left)
{
    const squares *in = space->at[left].in;
    return in[0] | in[1] | in[2] | in[3];
}

/* What this was built from: see setup.py. */
EXPORT const char *zeitnot_source(void) { return ZEITNOT_SOURCE; }

/* Bytes that the caller keeps for ``zeitnot_sweep``: all zero the first time, afterwards as they were left. */
EXPORT size_t zeitnot_space(void) { return sizeof(struct space); }

/*
 * All that the piece on ``start`` can take, leap by leap.
 *
 * own_low, own_high: its side, 71 bits as in field.py, the lowest 64 apart from the rest.
 * foes_low, foes_high: the other.
 * ways: in which it takes, as bits.
 * far: a king.
 *
 * Returns how many captures there are, of those that take most; 0 if there is none; -1 if it is asked for more than it can
 * do. Then zeitnot_captures is called, and only if there is no -1: it leaves the space as it has to be.
 */
EXPORT int32_t zeitnot_sweep(
    struct space *space, squares own_low, uint32_t own_high, squares foes_low, uint32_t foes_high, uint32_t start,
    uint32_t ways, uint32_t far)
{
    squares foes = squeeze(foes_low, foes_high);
    if (start > 63 || ways > 15 || __builtin_popcountll(foes) > MOST_PREY)
        return -1;
    squares here = UINT64_C(1) << start;
    space->blocked = squeeze(own_low, own_high) & ~here & ~foes;
    space->ways = ways;
    space->far = far;

    int count = 0;
    squares one[MOST_PREY] = {0};
    for (squares rest = foes; rest; rest &= rest - 1) {
        one[count] = rest & -rest;
        space->number[lowest(rest)] = (uint8_t)count++;
    }
    space->low[0] = space->high[0] = 0;
    for (int some = 1; some < 256; some++) {
        space->low[some] = space->low[some & (some - 1)] | one[lowest((squares)some)];
        space->high[some] = space->high[some & (some - 1)] | one[8 + lowest((squares)some)];
    }

    space->all = (prey)((1u << count) - 1);
    for (int way = 0; way < WAYS; way++)
        space->at[space->all].in[way] = ways >> way & 1 ? here : 0;
    space->queue[0] = space->all;
    space->length = ways ? 1 : 0;
    space->last = 0;
    uint32_t end = space->length;
    for (uint32_t at = 0; at < space->length; at++) {
        if (at == end) {
            space->last = end;
            end = space->length;
        }
        prey left = space->queue[at];
        for (int way = 0; way < WAYS; way++)
            leap(space, left, way);
    }
    if (!space->last)
        return 0;
    int32_t captures = 0;
    for (uint32_t at = space->last; at < space->length; at++)
        captures += __builtin_popcountll(any_way(space, space->queue[at]));
    sort(space->queue + space->last, space->length - space->last);
    return captures;
}

/* Where it may have stood (``*goal``) and which way it went on (returned) to come to ``*goal`` with ``*left``, which becomes what
 * was left before: the first found. ``ways``: of which it must be free to go on in one. */
static uint32_t before(const struct space *space, prey *left, int *goal, uint32_t ways)
{
    squares here = UINT64_C(1) << *goal;
    squares row = UINT64_C(255) << (*goal & 56), column = LEFTMOST << (*goal & 7);
    for (squares rest = squares_of(space, space->all ^ *left) & (row | column); rest; rest &= rest - 1) {
        squares one = rest & -rest;
        prey earlier = *left | (prey)(1u << space->number[lowest(one)]);
        int way = one & row ? (one < here ? 2 : 1) : (one < here ? 3 : 0);
        squares from = space->at[earlier].in[way];
        if (!from || !(ways & onward(space, way)))
            continue;
        squares empty = ~(space->blocked | squares_of(space, earlier));
        squares behind = step(one, way) & empty, ahead = step(one, 3 - way) & empty;
        if (space->far) {
            behind = slide(behind, way, empty);
            ahead = slide(ahead, 3 - way, empty);
        }
        from &= ahead;
        if (from && behind & here) {
            *left = earlier;
            /* Where it goes straight on, from right behind what was taken before. */
            *goal = way < 2 ? highest(from) : lowest(from);
            return 1u << way;
        }
    }
    return 0; /* never: what was come to was come to from somewhere */
}

/*
 * The captures that zeitnot_sweep counted, each with one way to make it, into ``found``, which has room for as many.
 *
 * In the order of what is left, as a number, and then of the squares where they end. Leaves the space as zeitnot_sweep
 * needs it.
 */
EXPORT void zeitnot_captures(struct space *space, uint8_t *found)
{
    for (uint32_t at = space->last ? space->last : space->length; at < space->length; at++) {
        prey last = space->queue[at];
        squares taken = squares_of(space, space->all ^ last);
        for (squares ends = any_way(space, last); ends; ends &= ends - 1) {
            struct capture one = {taken, {0}};
            prey left = last;
            int goal = lowest(ends);
            uint32_t ways = 15;
            for (int leaps = __builtin_popcountll(taken); leaps-- && ways;) {
                one.path[leaps] = (uint8_t)goal;
                ways = before(space, &left, &goal, ways);
            }
            for (size_t byte = 0; byte < sizeof one; byte++) /* wherever it lies */
                *found++ = ((const uint8_t *)&one)[byte];
        }
    }
    static const struct standing nowhere = {{0}};
    for (uint32_t at = 0; at < space->length; at++)
        space->at[space->queue[at]] = nowhere;
    space->length = space->last = 0;
}

/*
 * The loops of trails.py: what is taken stays where it is, and the highest value is compulsory.
 *
 * trails.py explains the method and is the reference, as sweep.py above. All about the board is in the leaps that the caller hands
 * over; squares have the numbers that the caller gives them.
 *
 * A leap adds a piece to what is taken, so what follows from a set is a larger number: sets are gone through in that order, and
 * memory is read and written from its beginning to its end.
 *
 * Bounds. Of at most 20 pieces there are at most 2^20 sets, for each of which there is a place; no capture has more than 20 leaps.
 */

#define MOST_TRAIL_PREY 20
#define MOST_TRAIL_SQUARES 64

typedef uint64_t places; /* squares on which it may stand, as bits */
typedef uint32_t trail_prey;

struct trail_space {
    places at[1 << MOST_TRAIL_PREY]; /* by what is taken, where it may stand; all zero between two captures */
    places behind[MOST_TRAIL_SQUARES][MOST_TRAIL_PREY]; /* from a square over a piece */
    trail_prey near[MOST_TRAIL_SQUARES];                /* what can be taken from a square as long as it is there */
    trail_prey kings, end; /* the kings among the pieces; how many sets there are */
    uint32_t man_worth, king_worth;
    uint32_t most; /* the highest value that was come to, or what the caller wants at least */
};

/* One capture, for the caller. */
struct trail {
    trail_prey taken;
    uint8_t path[MOST_TRAIL_PREY];
};

EXPORT size_t zeitnot_trail_space(void) { return sizeof(struct trail_space); }

static inline uint32_t worth(const struct trail_space *space, trail_prey taken)
{
    uint32_t kings = (uint32_t)__builtin_popcount(taken & space->kings);
    return kings * space->king_worth + ((uint32_t)__builtin_popcount(taken) - kings) * space->man_worth;
}

/*
 * How many captures there are of the highest value, none if it is less than ``least``. zeitnot_trails is to be called next.
 *
 * leaps: three numbers each, the square from which, the piece, and the squares behind it as bits. It stands on square 0.
 * count: pieces. kings: which of them are kings. worths: of a man, 16 bits up; of a king.
 */
EXPORT int32_t zeitnot_follow(struct trail_space *space, const uint64_t *leaps, uint32_t leap_count, uint32_t count,
                              trail_prey kings, uint32_t least, uint32_t worths)
{
    for (int square = 0; square < MOST_TRAIL_SQUARES; square++)
        space->near[square] = 0;
    for (uint32_t one = 0; one < leap_count; one++) {
        uint64_t from = leaps[3 * one] % MOST_TRAIL_SQUARES, number = leaps[3 * one + 1] % MOST_TRAIL_PREY;
        space->near[from] |= UINT32_C(1) << number;
        space->behind[from][number] = leaps[3 * one + 2];
    }
    space->end = UINT32_C(1) << (count < MOST_TRAIL_PREY ? count : MOST_TRAIL_PREY);
    space->kings = kings;
    space->man_worth = worths >> 16;
    space->king_worth = worths & 65535;
    uint32_t most = least;
    int32_t captures = 0;
    space->at[0] = 1;
    for (trail_prey taken = 0; taken < space->end; taken++) {
        places standing = space->at[taken];
        if (!standing)
            continue;
        uint32_t value = worth(space, taken);
        if (value > most)
            most = value, captures = 0;
        if (value == most)
            captures += __builtin_popcountll(standing);
        for (places rest = standing; rest; rest &= rest - 1) {
            int square = lowest(rest);
            for (trail_prey left = space->near[square] & ~taken & (space->end - 1); left; left &= left - 1)
                space->at[taken | (left & -left)] |= space->behind[square][lowest(left)];
        }
    }
    space->most = most;
    return captures;
}

/* What was taken and where it stood one leap before it came to ``*goal`` with ``*taken``: the first found. */
static void before_goal(const struct trail_space *space, trail_prey *taken, int *goal)
{
    for (int square = 0; square < MOST_TRAIL_SQUARES; square++)
        for (trail_prey left = space->near[square] & *taken; left; left &= left - 1) {
            trail_prey earlier = *taken & ~(left & -left);
            if (space->behind[square][lowest(left)] >> *goal & 1 && space->at[earlier] >> square & 1) {
                *taken = earlier;
                *goal = square;
                return;
            }
        }
}

/* The captures that zeitnot_follow counted, each with one way to make it, into ``found``, which has room for as many: in the order
 * of what is taken, as a number, and then of where they end. Leaves the space as zeitnot_follow needs it. */
EXPORT void zeitnot_trails(struct trail_space *space, uint8_t *found)
{
    for (trail_prey last = 0; last < space->end; last++) {
        if (!space->at[last] || worth(space, last) != space->most)
            continue;
        for (places ends = space->at[last]; ends; ends &= ends - 1) {
            struct trail one = {last, {0}};
            trail_prey taken = last;
            int goal = lowest(ends);
            for (int leaps = __builtin_popcount(last); leaps--;) {
                one.path[leaps] = (uint8_t)goal;
                before_goal(space, &taken, &goal);
            }
            for (size_t byte = 0; byte < sizeof one; byte++) /* wherever it lies */
                *found++ = ((const uint8_t *)&one)[byte];
        }
    }
    for (trail_prey taken = 0; taken < space->end; taken++)
        space->at[taken] = 0;
}
