#include "messages.h"

const message assignments[ASSIGNMENTS] = {
    {"essay", 4, 2},
    {"lab", 6, 5},
    {"project", 9, 8},
    {"review", 2, 3},
};
const message invitations[INVITATIONS] = {
    {"soccer", 6, 0},
    {"board game", 3, 0},
    {"movie", 4, 0},
};
