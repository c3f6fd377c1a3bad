import type { Project, Session } from '@chirality/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import type { HeldFiles } from '../../lib/attachment/held-files';
import { useOutboxes } from '../../lib/message/message-services';
import type { Fold } from '../../lib/message/pasted-text';
import { ApiError } from '../../lib/http/api-error';
import { focusNextComposer } from '../../lib/keyboard/focus-composer';
import { createProject, projectsChanged } from '../../features/project/project.api';
import { keepSession, sessionsChanged } from '../../features/session/session.api';
import { useIsShown } from '../../lib/page/use-is-shown';
import type { StartTarget } from './start-target';
import { useUnsentSession } from './use-unsent-session';

type Start = {
  target: StartTarget;
  /** Empty for the default of the project. */
  model: string;
  workspace: Session['workspace'];
  message: string;
  folds: readonly Fold[];
};

/**
 * Starts a session with its first message and opens it. The message goes through the outbox, so it survives a reload
 * and a lost connection. Its files are uploaded before: where one does not arrive, nothing is sent and everything stays
 * in its field. A second attempt reuses the session of the first, and in the same team its sample project.
 */
export function useBeginSession(userId: string, files: HeldFiles, onDone: (message: string) => void) {
  const outboxOf = useOutboxes();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const unsent = useUnsentSession();
  const isShown = useIsShown();
  const sample = useRef<Project | null>(null);
  const sampleOf = async (teamId: string | undefined) => {
    const known = sample.current;
    if (known !== null && (teamId === undefined || known.teamId === teamId)) return known;
    return (sample.current = await createSample(teamId));
  };
  return useMutation({
    mutationFn: async ({ target, model, workspace, message, folds }: Start) => {
      const projectId = 'projectId' in target ? target.projectId : (await sampleOf(target.sampleFor)).id;
      try {
        const session = await unsent.begin({ projectId, model, workspace });
        return { session, message, folds, ...(await files.sendTo(session.id)) };
      } catch (error) {
        const mayRetry = error instanceof ApiError && error.isPassing;
        if (!mayRetry) files.sessionGone();
        unsent.failed(mayRetry);
        throw error;
      }
    },
    onSuccess: async ({ session, message, folds, keys, attachments }) => {
      const outbox = outboxOf(userId);
      outbox.add(session.id, message, {}, folds, attachments);
      unsent.sent();
      files.sent(keys);
      onDone(message);
      // Both may not have had room in the browser's store at once.
      outbox.keep();
      keepSession(queries, session);
      // The uploads take a while: who reads something else by now is not taken away from it.
      if (!isShown()) return;
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
