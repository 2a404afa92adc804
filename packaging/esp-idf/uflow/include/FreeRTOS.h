/* SPDX-License-Identifier: MIT */
/* FreeRTOS.h - the header of ESP-IDF by the name that other distributions of FreeRTOS have. */
#ifndef UFLOW_ESP_FREERTOS_H
#define UFLOW_ESP_FREERTOS_H

#include "freertos/FreeRTOS.h"

#if !defined(CONFIG_FREERTOS_UNICORE)
#error "the port of uflow masks the interrupts of one CPU: set CONFIG_FREERTOS_UNICORE"
#endif
#define xPortIsInsideInterrupt() xPortInIsrContext()

#endif
