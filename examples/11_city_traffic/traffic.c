/* traffic.c - see traffic.h. */
#include "traffic.h"

enum { FAR = 2 * STREET, FOLLOWERS_PERCENT = 60 };

axis lamp_begins_with(int light)
{
    return light % 2 ? EAST_WEST : NORTH_SOUTH;
}

int lamp_green_ms(int light)
{
    return (3500 + light * 523 % 2100) * 3 / 2;
}

int lamp_yellow_ms(int light)
{
    return 900 + light * 311 % 500;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* The integer square root, rounded down, bit by bit. */
static int root(int64_t square)
{
    int64_t found = 0;

    for (int64_t bit = INT64_C(1) << 30; bit > 0; bit >>= 1) {
        if ((found + bit) * (found + bit) <= square) found += bit;
    }
    return (int)found;
}

/* The maximum speed from which a car can brake to `end` within `way`. */
static int speed_before(int way, int end)
{
    return root((int64_t)end * end + (int64_t)2 * ACCELERATION * way);
}

static uint32_t draw(uint32_t *state) /* xorshift32, G. Marsaglia 2003 */
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* Most cars follow the one ahead of them. The first one may choose the same way at random. */
static void enter_lane(traffic *city, vehicle *me, int number)
{
    int exits[2];
    int const count = street_exits(number, exits);
    int const leaders = city->followed[number];

    me->lane = number;
    if (leaders >= 0 && (int)(draw(&city->random) % 100) < FOLLOWERS_PERCENT) me->exit = leaders;
    else me->exit = exits[draw(&city->random) % (uint32_t)count];
    city->followed[number] = me->exit;
}

void traffic_begin(traffic *city, uint32_t seed)
{
    city->random = seed ? seed : 1;
    for (int i = 0; i < LANES; i++) city->followed[i] = -1;
    for (int i = 0; i < LIGHTS; i++) city->lamps[i] = (lamp){lamp_begins_with(i), false};
    for (int i = CARS - 1; i >= 0; i--) { /* the ones in front first, so that the others can follow */
        vehicle *const it = &city->cars[i];
        *it = (vehicle){.name = {(char)('a' + i)}, .place = 220000 + i / STREETS * 450000};
        enter_lane(city, it, 2 * (i % STREETS));
    }
}

/* The distance from here to the gap behind the car ahead, in this lane or the next one. */
static int room_ahead(const traffic *city, const vehicle *me)
{
    int room = FAR;

    for (const vehicle *it = city->cars; it < city->cars + CARS; it++) {
        if (it->lane == me->lane && it->place > me->place) room = smaller(room, it->place - me->place - GAP);
        if (it->lane == me->exit) room = smaller(room, STREET - me->place + it->place - GAP);
    }
    return room > 0 ? room : 0;
}

static bool bends(const vehicle *me)
{
    return street_axis(me->exit) != street_axis(me->lane);
}

static int speed_limit(const vehicle *me)
{
    if (me->turned && me->place < BEND) return TURN_SPEED;
    if (!bends(me)) return CRUISE_SPEED;
    int const before_bend = STREET - BEND - me->place;
    return before_bend <= 0 ? TURN_SPEED : smaller(CRUISE_SPEED, speed_before(before_bend, TURN_SPEED));
}

static int portion(int a_second, uf_time duration)
{
    return (int)(a_second * duration / UF_S(1));
}

/* The maximum speed for the limit and the free way in `sight`, but no further than `room`. */
static void advance(traffic *city, vehicle *me, uf_time now, int sight, int room)
{
    uf_time const passed = now - me->moved, duration = passed < UF_MS(100) ? passed : UF_MS(100);
    int const wanted = smaller(speed_limit(me), speed_before(sight, 0));

    me->speed = smaller(me->speed + portion(ACCELERATION, duration), wanted);
    me->place += smaller(portion(me->speed, duration), room);
    me->moved = now;
    if (me->place < STREET) return;
    me->place -= STREET;
    me->turned = bends(me);
    enter_lane(city, me, me->exit);
}

void traffic_approach(traffic *city, vehicle *me, uf_time now)
{
    int const ahead = room_ahead(city, me);
    int const room = street_has_light(me->lane) ? smaller(ahead, STOP_LINE - me->place) : ahead;

    advance(city, me, now, traffic_may_cross(city, me) ? ahead : room, room);
}

void traffic_cross(traffic *city, vehicle *me, uf_time now)
{
    int const ahead = room_ahead(city, me);

    advance(city, me, now, ahead, ahead);
}

bool traffic_may_cross(const traffic *city, const vehicle *me)
{
    int const crossing = street_lane(me->lane).to;

    if (!street_has_light(me->lane)) return true;
    if (city->lamps[crossing].yellow || city->lamps[crossing].green != street_axis(me->lane)) return false;
    for (const vehicle *it = city->cars; it < city->cars + CARS; it++) {
        if (it->lane == me->exit && it->place < EXIT_ROOM) return false;
        if (it == me || !vehicle_is_crossing(it) || street_lane(it->lane).to != crossing) continue;
        if (it->exit == me->exit || street_axis(it->lane) != street_axis(me->lane)) return false;
    }
    return true;
}

bool vehicle_at_line(const vehicle *me)
{
    return street_has_light(me->lane) && me->place == STOP_LINE;
}

bool vehicle_at_bend(const vehicle *me)
{
    return bends(me) && me->place >= STREET - BEND;
}

bool vehicle_is_across(const vehicle *me)
{
    return me->place >= ACROSS && me->place < STOP_LINE;
}

bool vehicle_is_crossing(const vehicle *me)
{
    return street_has_light(me->lane) && me->place > STOP_LINE;
}
