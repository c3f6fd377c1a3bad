import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { archiveSession, createSession, sessionsChanged } from '../../features/session/session.api';
import { UnsentSession } from './unsent-session';

/** The session of a message that is not sent yet, for as long as its field is shown. */
export function useUnsentSession(): UnsentSession {
  const queries = useQueryClient();
  const unsent = useMemo(
    () =>
      new UnsentSession({
        create: ({ projectId, model, workspace }) =>
          createSession({
            projectId,
            mode: 'workbench',
            persona: null,
            visibility: 'project',
            workspace,
            awaitsMessage: true,
            options: model === '' ? {} : { model },
          }),
        // Where the server is away it removes the session later.
        archive: ({ id }) =>
          void archiveSession(id).then(
            () => sessionsChanged(queries),
            () => undefined,
          ),
      }),
    [queries],
  );
  useEffect(() => {
    unsent.entered();
    return () => unsent.left();
  }, [unsent]);
  return unsent;
}
