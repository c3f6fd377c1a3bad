import { patchOfInput, type PermissionItem } from '@chirality/domain';
import { Hand } from 'lucide-react';
import { Button } from '../../../components/ui/button';
import { revealHidden } from '../../../lib/text/neutralise';
import { DiffView } from '../../transcript/components/diff-view';
import { ChangeCount } from '../../transcript/components/change-count';
import { shortPath, summariseTool } from '../../transcript/lib/tool-summary';
import { useReading } from '../../transcript/reading-context';
import type { Answering } from '../hooks/use-answer';
import { AnswerRow, CardFailure, CardTitle } from './card-parts';

type Props = { item: PermissionItem; answer: Answering; mayAnswer: boolean };

/** What is to be decided on, whole and with nothing hidden in it: the command, or the change to the file. */
function Subject({ item }: { item: PermissionItem }) {
  const patch = patchOfInput(item.tool, item.input);
  if (patch !== null) return <DiffView patch={patch} showNumbers={false} className="max-h-[min(24rem,38dvh)] border-y border-line" />;
  const command = (item.input as { command?: unknown } | null)?.command;
  const shown = typeof command === 'string' ? command : JSON.stringify(item.input, null, 2);
  return (
    <pre tabIndex={0} aria-label={typeof command === 'string' ? 'Command' : 'Input'} className="max-h-[min(20rem,34dvh)] overflow-auto border-y border-line bg-sunken px-4 py-2.5 font-mono text-sm/[1.55] whitespace-pre-wrap wrap-anywhere focus-visible:-outline-offset-2">
      {revealHidden(shown)}
    </pre>
  );
}

function Title({ item }: { item: PermissionItem }) {
  const { cwd } = useReading();
  const patch = patchOfInput(item.tool, item.input);
  if (patch !== null) {
    return (
      <span className="flex min-w-0 items-center gap-2">
        <span className="truncate">
          {item.tool === 'Write' ? 'Write' : 'Edit'} <span className="font-mono text-base font-medium">{shortPath(patch.path ?? '', cwd)}</span>?
        </span>
        <ChangeCount additions={patch.additions} deletions={patch.deletions} />
      </span>
    );
  }
  return item.tool === 'Bash' ? 'Run this command?' : `Use ${summariseTool({ name: item.tool, input: null }, cwd).verb}?`;
}

export function ToolCard({ item, answer, mayAnswer }: Props) {
  const { give, isGiving, failure } = answer;
  const description = (item.input as { description?: unknown } | null)?.description;
  return (
    <>
      <CardTitle icon={<Hand size={16} />} expiresAt={item.expiresAt}>
        <Title item={item} />
      </CardTitle>
      <Subject item={item} />
      <p className="px-4 py-2 text-sm text-muted">
        {typeof description === 'string' && description !== '' && <>{revealHidden(description)} · </>}
        {item.reason}
      </p>
      <CardFailure failure={failure} />
      {mayAnswer ? (
        <AnswerRow label="Deny…" placeholder="Why not? Claude is told." submitLabel="Deny" isBusy={isGiving} onDeny={(reason) => give({ decision: 'deny', ...(reason !== undefined && { reason }) })}>
          <Button variant="primary" busy={isGiving} onClick={() => give({ decision: 'allow_once' })}>
            Allow once
          </Button>
          {item.pattern !== null && (
            <Button disabled={isGiving} onClick={() => give({ decision: 'allow_pattern' })} title="For the rest of this session" className="min-w-0">
              Always allow <code className="truncate font-mono text-sm">{item.pattern}</code>
            </Button>
          )}
          <Button variant="quiet" disabled={isGiving} onClick={() => give({ decision: 'allow_tool' })} title="For the rest of this session">
            Every {item.tool}
          </Button>
        </AnswerRow>
      ) : (
        <p className="px-4 pb-3 text-sm text-muted">Somebody who may write in this session can answer.</p>
      )}
    </>
  );
}
