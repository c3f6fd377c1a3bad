import type { ProjectEgress, PutProjectVariable } from '@chirality/contracts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api, rowsOf } from '../../lib/http/api';

export function egressQuery(projectId: string) {
  return queryOptions({
    queryKey: ['egress', projectId],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/projects/{projectId}/egress', { params: { path: { projectId } }, signal })),
  });
}

export function egressLogQuery(projectId: string) {
  return queryOptions({
    queryKey: ['egress-log', projectId],
    queryFn: ({ signal }) =>
      rowsOf(api.GET('/v1/projects/{projectId}/egress/log', { params: { path: { projectId } }, signal })),
    refetchInterval: 15_000,
  });
}

/** `submitted`: the text that the hosts were read from. */
type EgressSubmission = ProjectEgress & { submitted: string };

export function useReplaceEgress(
  projectId: string,
  onSaved: (saved: ProjectEgress, submission: EgressSubmission) => void,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ hosts, webSearch }: EgressSubmission) =>
      answerOf(
        api.PUT('/v1/projects/{projectId}/egress', { params: { path: { projectId } }, body: { hosts, webSearch } }),
      ),
    onSuccess: (saved, submission) => {
      onSaved(saved, submission);
      queries.setQueryData(egressQuery(projectId).queryKey, saved);
    },
  });
}

export function setupScriptQuery(projectId: string) {
  return queryOptions({
    queryKey: ['setup-script', projectId],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/projects/{projectId}/setup-script', { params: { path: { projectId } }, signal })),
  });
}

/** A script of spaces only is none. `onSaved` has the script as it is now, and the one that was sent. */
export function useReplaceSetupScript(projectId: string, onSaved: (saved: string | null, submitted: string) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (submitted: string) =>
      answerOf(
        api.PUT('/v1/projects/{projectId}/setup-script', {
          params: { path: { projectId } },
          body: { script: submitted.trim() === '' ? null : submitted },
        }),
      ),
    onSuccess: (saved, submitted) => {
      onSaved(saved.script, submitted);
      queries.setQueryData(setupScriptQuery(projectId).queryKey, saved);
    },
  });
}

export function variablesQuery(projectId: string) {
  return queryOptions({
    queryKey: ['variables', projectId],
    queryFn: ({ signal }) =>
      rowsOf(api.GET('/v1/projects/{projectId}/variables', { params: { path: { projectId } }, signal })),
  });
}

/** Makes a variable, or changes of one what is given. */
export function usePutVariable(projectId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ name, ...body }: { name: string } & PutProjectVariable) =>
      answerOf(api.PUT('/v1/projects/{projectId}/variables/{name}', { params: { path: { projectId, name } }, body })),
    onSettled: () => queries.invalidateQueries({ queryKey: variablesQuery(projectId).queryKey }),
  });
}

export function useRemoveVariable(projectId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (name: string) =>
      answerOf(api.DELETE('/v1/projects/{projectId}/variables/{name}', { params: { path: { projectId, name } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: variablesQuery(projectId).queryKey }),
  });
}
