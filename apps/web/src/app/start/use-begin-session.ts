import type { Project } from '@chirality/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { useOutboxes } from '../../lib/message/message-services';
import type { Fold } from '../../lib/message/pasted-text';
import { focusNextComposer } from '../../lib/keyboard/focus-composer';
import { createProject, projectsChanged } from '../../features/project/project.api';
import { createSession, keepSession, sessionsChanged } from '../../features/session/session.api';
import type { StartTarget } from './start-target';

type Start = {
  target: StartTarget;
  /** Empty for the default of the project. */
  model: string;
  message: string;
  folds: readonly Fold[];
};

/**
 * Starts a session with its first message and opens it. The message goes through the outbox, so it survives a reload
 * and a lost connection. A second attempt in the same team reuses the sample project of the first.
 */
export function useBeginSession(userId: string, onDone: (message: string) => void) {
  const outboxOf = useOutboxes();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const sample = useRef<Project | null>(null);
  const sampleOf = async (teamId: string | undefined) => {
    const known = sample.current;
    if (known !== null && (teamId === undefined || known.teamId === teamId)) return known;
    return (sample.current = await createSample(teamId));
  };
  return useMutation({
    mutationFn: async ({ target, model, message, folds }: Start) => {
      const projectId = 'projectId' in target ? target.projectId : (await sampleOf(target.sampleFor)).id;
      const options = model === '' ? {} : { model };
      const session = await createSession({
        projectId,
        mode: 'workbench',
        persona: null,
        visibility: 'project',
        options,
      });
      return { session, message, folds };
    },
    onSuccess: async ({ session, message, folds }) => {
      const outbox = outboxOf(userId);
      outbox.add(session.id, message, {}, folds);
      onDone(message);
      // Both may not have had room in the browser's store at once.
      outbox.keep();
      keepSession(queries, session);
      focusNextComposer();
      await navigate({ to: '/sessions/$sessionId', params: { sessionId: session.id } });
    },
    // After a refusal too: the project may be archived since the lists were read.
    onSettled: () => {
      void sessionsChanged(queries);
      void projectsChanged(queries);
    },
  });
}

function createSample(teamId: string | undefined): Promise<Project> {
  return createProject({
    name: 'Sample project',
    source: { kind: 'empty', sample: true },
    ...(teamId !== undefined && { teamId }),
  });
}
