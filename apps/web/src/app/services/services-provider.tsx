import type { ReactNode } from 'react';
import { AuthContext } from '../../features/access/auth-service';
import { AnswerBooksContext } from '../../features/permission/request/answer-books';
import { AttachedFilesContext, HeldFilesContext } from '../../lib/attachment/attachment-services';
import { LiveContext } from '../../lib/live/live-service';
import { DraftsContext, OutboxesContext } from '../../lib/message/message-services';
import { NoticesContext } from '../../lib/notices/notices-service';
import { TranscriptsContext } from '../../lib/transcript/use-transcript';
import {
  answerBookOf,
  attachedFilesOf,
  auth,
  drafts,
  heldFilesOf,
  live,
  notices,
  outboxOf,
  transcripts,
} from './services';

/** Gives the services to everything that is drawn within. */
export function ServicesProvider({ children }: { children: ReactNode }) {
  return (
    <AuthContext value={auth}>
      <LiveContext value={live}>
        <TranscriptsContext value={transcripts}>
          <NoticesContext value={notices}>
            <AnswerBooksContext value={answerBookOf}>
              <OutboxesContext value={outboxOf}>
                <AttachedFilesContext value={attachedFilesOf}>
                  <HeldFilesContext value={heldFilesOf}>
                    <DraftsContext value={drafts}>{children}</DraftsContext>
                  </HeldFilesContext>
                </AttachedFilesContext>
              </OutboxesContext>
            </AnswerBooksContext>
          </NoticesContext>
        </TranscriptsContext>
      </LiveContext>
    </AuthContext>
  );
}
