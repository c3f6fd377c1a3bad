import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { diffQuery, UNCOMMITTED } from '../api/get-diff';
import { FileMarks } from '../file-marks';

/** As old as the list of changes may be when the tree is shown again; what changed files since asks for it sooner. */
const FRESH_MS = 20_000;

export type ShownMarks = { marks: FileMarks; /** What the marks do not say, as a sentence. */ note: string | null };

/**
 * The marks of a session's tree, from the list that the changes panel shows as well. One comparison at a time: many
 * tools may change files while a long one runs.
 */
export function useFileMarks(sessionId: string, revision: string): ShownMarks {
  const [asked, setAsked] = useState(revision);
  const diff = useInfiniteQuery({
    ...diffQuery(sessionId, UNCOMMITTED, { revision: asked, isRunning: false }),
    refetchInterval: false,
    staleTime: FRESH_MS,
  });
  if (asked !== revision && !diff.isFetching) setAsked(revision);
  const pages = diff.data?.pages;
  const marks = useMemo(() => new FileMarks(pages ?? []), [pages]);
  if (!diff.isError) return { marks, note: marks.shortfall };
  const note = pages === undefined ? 'Changes could not be loaded, so no file is marked.' : 'Changes could not be loaded. The marks may be out of date.';
  return { marks, note };
}
