import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { CopyButton } from '../../../components/ui/copy-button';
import { IconButton } from '../../../components/ui/icon-button';
import { UntrustedText } from '../../../components/text/untrusted-text';
import { classNames } from '../../../components/class-names';
import { useNotices } from '../../../lib/notices/notices-service';
import { useObservable } from '../../../lib/state/use-observable';
import type { SessionNotice } from '../../../lib/notices/session-notices';
import { UndoArchive } from './undo-archive';

function Notice({ notice, isElsewhere }: { notice: SessionNotice; isElsewhere: boolean }) {
  const notices = useNotices();
  return (
    <li
      className={classNames(
        'flex gap-2.5 rounded-lg border border-line px-3.5 py-2.5',
        notice.undoes !== undefined ? 'bg-surface' : notice.tone === 'bad' ? 'bg-bad-soft' : 'bg-warn-soft',
        isElsewhere && 'shadow-pop',
      )}
    >
      <div role={notice.tone === 'bad' ? 'alert' : 'status'} className="min-w-0 flex-1 wrap-anywhere">
        {isElsewhere && (
          <p className="truncate text-sm">
            In{' '}
            <Link
              to="/sessions/$sessionId"
              params={{ sessionId: notice.sessionId }}
              className="font-medium underline underline-offset-2"
            >
              <UntrustedText text={notice.sessionTitle} mode="prose" />
            </Link>
          </p>
        )}
        <p>
          <UntrustedText text={notice.text} mode="prose" />
        </p>
        {notice.words !== null && (
          <div className="mt-1.5 flex items-start gap-1 border-s-2 border-line-strong ps-2.5">
            <p dir="auto" className="max-h-40 min-w-0 flex-1 overflow-y-auto whitespace-pre-wrap">
              <span className="sr-only">You wrote: </span>
              {notice.words}
            </p>
            <CopyButton text={notice.words} label="Copy what you wrote" />
          </div>
        )}
        {notice.undoes === 'archive' && <UndoArchive notice={notice} />}
      </div>
      <IconButton label="Dismiss" onClick={() => notices.dismiss(notice.id)} className="-me-1.5 -mt-1">
        <X size={15} />
      </IconButton>
    </li>
  );
}

/** What became of acts in this session, above the composer. */
export function OwnNotices({ sessionId }: { sessionId: string }) {
  const own = useObservable(useNotices().entries).filter(
    // The page of an archived session has its way back at the foot.
    (notice) => notice.sessionId === sessionId && notice.undoes === undefined,
  );
  return own.length === 0 ? null : (
    <ul aria-label="Outcomes" className="column stack max-h-[30dvh] gap-2 overflow-y-auto pb-2">
      {own.map((notice) => (
        <Notice key={notice.id} notice={notice} isElsewhere={false} />
      ))}
    </ul>
  );
}

/** What became of acts in sessions that are not on screen, over every page. */
export function NoticesFromElsewhere({ sessionId }: { sessionId: string | undefined }) {
  const others = useObservable(useNotices().entries).filter((notice) => notice.sessionId !== sessionId);
  return others.length === 0 ? null : (
    <ul
      aria-label="Outcomes in other sessions"
      className="fixed end-2 top-14 z-30 stack max-h-[60dvh] w-100 max-w-[calc(100vw-1rem)] gap-2 overflow-y-auto p-2"
    >
      {others.map((notice) => (
        <Notice key={notice.id} notice={notice} isElsewhere />
      ))}
    </ul>
  );
}
