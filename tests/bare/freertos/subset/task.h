/* SPDX-License-Identifier: MIT */
/* task.h - not the real one; see FreeRTOS.h here. */
#ifndef TASK_SUBSET_H
#define TASK_SUBSET_H

#include "FreeRTOS.h"

typedef struct tskTaskControlBlock *TaskHandle_t;

TaskHandle_t xTaskGetCurrentTaskHandle(void);
TickType_t xTaskGetTickCount(void);
BaseType_t xTaskNotifyGive(TaskHandle_t task);
void vTaskNotifyGiveFromISR(TaskHandle_t task, BaseType_t *is_urgent);
uint32_t ulTaskNotifyTake(BaseType_t clear, TickType_t ticks);

#endif
