import { useEffect, useRef, useState } from 'react';
import { isThere, useSendFile } from './transfers.api';

type Waiting = { folder: string; file: File };

export interface Uploads {
  /** Sends files into a folder, one after another. */
  add: (folder: string, files: readonly File[]) => void;
  /** What is on its way. */
  sending: { name: string; sent: number; bytes: number; left: number } | null;
  /** A file of this path is there: it is replaced, or not. */
  asked: { path: string; replace: () => void; skip: () => void } | null;
  failure: { name: string; error: unknown } | null;
  /** The path of the last file that arrived. */
  done: string | null;
}

function pathOf({ folder, file }: Waiting): string {
  return folder === '' ? file.name : `${folder}/${file.name}`;
}

/** Files on their way into a session. What is there already is replaced only when a person says so. */
export function useUploads(sessionId: string): Uploads {
  const { mutateAsync } = useSendFile(sessionId);
  const queue = useRef<Waiting[]>([]);
  const stop = useRef(new AbortController());
  const [sending, setSending] = useState<Uploads['sending']>(null);
  const [asking, setAsking] = useState<Waiting | null>(null);
  const [failure, setFailure] = useState<Uploads['failure']>(null);
  const [done, setDone] = useState<string | null>(null);
  useEffect(() => {
    const current = new AbortController();
    stop.current = current;
    return () => current.abort(new Error('The page was left.'));
  }, []);

  const send = async (waiting: Waiting, replace: boolean): Promise<void> => {
    const { file } = waiting;
    const show = (sent: number) => setSending({ name: file.name, sent, bytes: file.size, left: queue.current.length });
    show(0);
    try {
      await mutateAsync({ path: pathOf(waiting), file, replace, onProgress: show, signal: stop.current.signal });
      setDone(pathOf(waiting));
    } catch (error) {
      if (isThere(error) && !replace) {
        setSending(null);
        return setAsking(waiting);
      }
      if (!stop.current.signal.aborted) setFailure({ name: file.name, error });
    }
    setSending(null);
    next();
  };
  const next = () => {
    const waiting = queue.current.shift();
    if (waiting) void send(waiting, false);
  };
  const answer = (replace: boolean) => {
    const waiting = asking;
    setAsking(null);
    if (waiting && replace) void send(waiting, true);
    else next();
  };
  return {
    add: (folder, files) => {
      setFailure(null);
      setDone(null);
      queue.current.push(...files.map((file) => ({ folder, file })));
      if (sending === null && asking === null) next();
    },
    sending,
    asked: asking && { path: pathOf(asking), replace: () => answer(true), skip: () => answer(false) },
    failure,
    done,
  };
}
