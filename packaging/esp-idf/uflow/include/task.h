/* SPDX-License-Identifier: MIT */
/* task.h - see FreeRTOS.h here. */
#ifndef UFLOW_ESP_TASK_H
#define UFLOW_ESP_TASK_H

#include "FreeRTOS.h"
#include "freertos/task.h"

#endif
