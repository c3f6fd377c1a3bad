import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { diffQuery, restAfterMs, UNCOMMITTED } from '../changes/changes.api';
import { FileMarks } from './file-marks';

/** As old as the list of changes may be when the tree is shown again; what changed files since asks for it sooner. */
const FRESH_MS = 20_000;
/** What no tool announced, such as the commit of a colleague, is seen after this time. */
const LOOK_EVERY_MS = 60_000;

export type ShownMarks = { marks: FileMarks; /** What the marks do not say, as a sentence. */ note: string | null };

/**
 * The marks of a session's tree, from the list that the changes panel shows as well. One comparison at a time, with a
 * rest after each: many tools may change files while a long one runs.
 */
export function useFileMarks(sessionId: string, revision: string): ShownMarks {
  const [asked, setAsked] = useState(revision);
  const diff = useInfiniteQuery({
    ...diffQuery(sessionId, UNCOMMITTED, { revision: asked, isRunning: false }),
    refetchInterval: () => Math.max(LOOK_EVERY_MS, restAfterMs(sessionId)),
    staleTime: FRESH_MS,
  });
  const endedAt = Math.max(diff.dataUpdatedAt, diff.errorUpdatedAt);
  useEffect(() => {
    if (asked === revision || diff.isFetching) return;
    const timer = setTimeout(() => setAsked(revision), Math.max(0, endedAt + restAfterMs(sessionId) - Date.now()));
    return () => clearTimeout(timer);
  }, [asked, revision, diff.isFetching, endedAt, sessionId]);
  const pages = diff.data?.pages;
  const marks = useMemo(() => new FileMarks(pages ?? []), [pages]);
  if (diff.isPending) return { marks, note: 'Looking for changes…' };
  if (!diff.isError) return { marks, note: marks.shortfall };
  const note =
    pages === undefined
      ? 'Changes could not be loaded, so no file is marked.'
      : 'Changes could not be loaded. The marks may be out of date.';
  return { marks, note };
}
