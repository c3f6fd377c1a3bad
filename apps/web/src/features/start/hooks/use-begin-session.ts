import type { Project } from '@chirality/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { outboxOf } from '../../../app/services';
import { createProject } from '../../project/api/create-project';
import { createSession } from '../../session/api/create-session';

/** Where a first message goes: an existing project, or a sample project that is created for it. */
export type StartTarget = { projectId: string } | { sampleFor: string | undefined };

type Start = { target: StartTarget; message: string };

/**
 * Starts a session with its first message and opens it. The message goes through the outbox, so it survives a reload
 * and a lost connection. A second attempt reuses the sample project of the first.
 */
export function useBeginSession(userId: string, onDone: () => void) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const sample = useRef<Project | null>(null);
  return useMutation({
    mutationFn: async ({ target, message }: Start) => {
      const projectId = 'projectId' in target ? target.projectId : (sample.current ??= await createSample(target.sampleFor)).id;
      const session = await createSession({ projectId, mode: 'workbench', persona: null, visibility: 'project' });
      return { session, message };
    },
    onSuccess: async ({ session, message }) => {
      outboxOf(userId).add(session.id, message, {});
      onDone();
      queries.setQueryData(['session', session.id], session);
      void queries.invalidateQueries({ queryKey: ['sessions'] });
      void queries.invalidateQueries({ queryKey: ['projects'] });
      await navigate({ to: '/sessions/$sessionId', params: { sessionId: session.id } });
    },
  });
}

function createSample(teamId: string | undefined): Promise<Project> {
  return createProject({ name: 'Sample project', source: { kind: 'empty', sample: true }, ...(teamId !== undefined && { teamId }) });
}
