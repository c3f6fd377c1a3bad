import type { CreateSchedule, UpdateSchedule } from '@chirality/contracts';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api, rowsOf } from '../../lib/http/api';

const LOOKED_AT_AGAIN_MS = 15_000;

/** They change without a person: runs begin and end. */
export function schedulesQuery(projectId: string) {
  return queryOptions({
    queryKey: ['schedules', projectId],
    queryFn: ({ signal }) => rowsOf(api.GET('/v1/schedules', { params: { query: { projectId } }, signal })),
    refetchInterval: LOOKED_AT_AGAIN_MS,
  });
}

export function scheduleRunsQuery(scheduleId: string) {
  return queryOptions({
    queryKey: ['schedule-runs', scheduleId],
    queryFn: ({ signal }) =>
      rowsOf(api.GET('/v1/schedules/{scheduleId}/runs', { params: { path: { scheduleId } }, signal })),
    refetchInterval: LOOKED_AT_AGAIN_MS,
  });
}

/** When it would run. What is typed changes often: the last answer is shown until the next one. */
export function schedulePreviewQuery(cron: string, timezone: string) {
  return queryOptions({
    queryKey: ['schedule-preview', cron, timezone],
    queryFn: ({ signal }) => answerOf(api.POST('/v1/schedules/preview', { body: { cron, timezone }, signal })),
    retry: false,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });
}

function useChanged(projectId: string) {
  const queries = useQueryClient();
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: schedulesQuery(projectId).queryKey }),
      queries.invalidateQueries({ queryKey: ['schedule-runs'] }),
    ]);
}

export function useCreateSchedule(projectId: string) {
  return useMutation({
    mutationFn: (body: Omit<CreateSchedule, 'projectId'>) =>
      answerOf(api.POST('/v1/schedules', { body: { ...body, projectId } })),
    onSuccess: useChanged(projectId),
  });
}

export function useUpdateSchedule(projectId: string, scheduleId: string) {
  return useMutation({
    mutationFn: (body: UpdateSchedule) =>
      answerOf(api.PATCH('/v1/schedules/{scheduleId}', { params: { path: { scheduleId } }, body })),
    onSuccess: useChanged(projectId),
  });
}

export function useDeleteSchedule(projectId: string) {
  return useMutation({
    mutationFn: (scheduleId: string) =>
      answerOf(api.DELETE('/v1/schedules/{scheduleId}', { params: { path: { scheduleId } } })),
    onSettled: useChanged(projectId),
  });
}

export function useRunSchedule(projectId: string) {
  return useMutation({
    mutationFn: (scheduleId: string) =>
      answerOf(api.POST('/v1/schedules/{scheduleId}/run', { params: { path: { scheduleId } } })),
    onSettled: useChanged(projectId),
  });
}

/** The secret is in this one answer. */
export function useRenewTrigger(projectId: string) {
  return useMutation({
    gcTime: 0,
    mutationFn: (scheduleId: string) =>
      answerOf(api.POST('/v1/schedules/{scheduleId}/trigger', { params: { path: { scheduleId } } })),
    onSuccess: useChanged(projectId),
  });
}
