import { useQuery } from '@tanstack/react-query';
import { ArrowUpFromLine, Download } from 'lucide-react';
import { FailureText } from '../../../components/text/failure-text';
import { Button } from '../../../components/ui/button';
import { unpushedSentence } from '../../../lib/format/unpushed-sentence';
import { revealHidden } from '../../../lib/text/reveal';
import { useDownload } from '../transfer/transfers.api';
import { unpushedWorkQuery } from './changes.api';

const NAMED = 5;

/** The first names, and how many more there are. */
function Names({ label, names, count }: { label: string; names: readonly string[]; count: number }) {
  if (names.length === 0) return null;
  return (
    <ul aria-label={label} className="mt-1 text-sm">
      {names.slice(0, NAMED).map((name, index) => (
        <li key={index} className="truncate">
          <code>{revealHidden(name)}</code>
        </li>
      ))}
      {count > NAMED && <li className="text-muted">and {(count - NAMED).toLocaleString('en-US')} more</li>}
    </ul>
  );
}

/** Says what exists only in the session that a person is about to end, and how to take it along. */
export function UnpushedWork({ sessionId, onPush }: { sessionId: string; onPush: (() => void) | null }) {
  const work = useQuery(unpushedWorkQuery(sessionId));
  const download = useDownload(sessionId);
  const sentence = work.data === undefined ? null : unpushedSentence(work.data);
  return (
    <div className="mt-3">
      <p role="status" className="font-medium text-text">
        {work.isPending && 'Checking for work that exists only in this session…'}
        {work.isError && 'Whether the session has work that exists only in it could not be checked.'}
        {sentence}
      </p>
      {work.data !== undefined && sentence !== null && (
        <>
          <Names label="Changed files" names={work.data.files?.names ?? []} count={work.data.files?.count ?? 0} />
          <Names
            label="Commits not pushed"
            names={work.data.commits?.latest.map(({ commit, subject }) => `${commit.slice(0, 8)} ${subject}`) ?? []}
            count={work.data.commits?.count ?? 0}
          />
          <div className="mt-3 flex flex-wrap gap-2">
            <Button
              size="small"
              icon={<Download size={15} />}
              busy={download.isPending}
              onClick={() => download.mutate({ wanted: { of: 'all-changes', format: 'patch' } })}
            >
              Download as a patch
            </Button>
            {onPush !== null && (
              <Button size="small" icon={<ArrowUpFromLine size={15} />} onClick={onPush}>
                Commit or push…
              </Button>
            )}
          </div>
          {download.isError && (
            <p role="alert" className="mt-2 text-bad">
              <FailureText error={download.error} />
            </p>
          )}
        </>
      )}
    </div>
  );
}
