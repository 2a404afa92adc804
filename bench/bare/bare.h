/* bare.h - what main.c drives: one implementation of the flow of sizes/three.uflow. */
#ifndef BARE_H
#define BARE_H

#include <stdbool.h>
#include <stdint.h>

void bare_start(void);

/* Does what is due at this time. Returns: whether the flow still runs. */
bool bare_run(uint32_t ms);

#endif
