import { patchOfTool, type ItemRow, type PermissionItem, type ToolItem } from '@chirality/domain';
import { Bot, ChevronRight, FilePen, FileText, Globe, ListChecks, Terminal, Wrench } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../../../components/class-names';
import { UntrustedText } from '../../../components/text/untrusted-text';
import { formatDuration, formatElapsed } from '../../../lib/format/duration';
import { revealHidden } from '../../../lib/text/reveal';
import { useNow } from '../../../lib/state/use-now';
import { answerSentence, shortAnswer } from '../../../lib/permission/answer-sentence';
import { offeredRules, ruleWords } from '../../../lib/permission/approved-input';
import { plural } from '../../../lib/format/count';
import { summariseTool, type ToolKind } from '../../../lib/tool/tool-summary';
import { useOpenRow, useReading } from '../reading-context';
import { ChangeCount } from '../../../components/diff/change-count';
import { ToolBody } from './tool-body';

const ICONS: Record<ToolKind, ReactNode> = {
  read: <FileText size={14} />,
  edit: <FilePen size={14} />,
  run: <Terminal size={14} />,
  agent: <Bot size={14} />,
  web: <Globe size={14} />,
  plan: <ListChecks size={14} />,
  other: <Wrench size={14} />,
};

function barOf(tool: ToolItem, permission: PermissionItem | null, kind: ToolKind): string {
  if (permission !== null && permission.answer === null) return 'bg-warn animate-breathe';
  if (tool.status === 'failed' || permission?.answer?.outcome === 'denied') return 'bg-bad';
  if (tool.status === 'running' || tool.status === 'preparing') return 'bg-accent animate-breathe';
  if (tool.status === 'unfinished') return 'bg-line-strong';
  return kind === 'edit' ? 'bg-good' : kind === 'run' || kind === 'agent' ? 'bg-accent' : 'bg-line-strong';
}

function LiveDuration({ since }: { since: string }) {
  return <>{formatElapsed(useNow() - Date.parse(since))}</>;
}

/** How long a tool ran, without the time in which it waited for a person's answer. */
function ranForMs(tool: ToolItem, permission: PermissionItem | null): number {
  const waitedMs = permission?.answer == null ? 0 : Date.parse(permission.answer.at) - Date.parse(permission.at);
  return Math.max(0, (tool.durationMs ?? 0) - waitedMs);
}

/** Who allowed or denied it, and how it went: both are seen without opening the row. */
function Outcome({ tool, permission }: { tool: ToolItem; permission: PermissionItem | null }) {
  if (permission !== null && permission.answer === null) return <span className="font-medium text-warn">waiting</span>;
  const decided = permission?.answer == null ? null : shortAnswer(permission.answer);
  if (permission?.answer != null && permission.answer.outcome !== 'allowed') {
    return (
      <span className="text-bad" title={answerSentence(permission.answer)}>
        <UntrustedText text={decided ?? ''} mode="prose" />
      </span>
    );
  }
  const progress = <Progress tool={tool} permission={permission} />;
  if (decided === null) return progress;
  return (
    <span className="inline-flex gap-2">
      <span className="truncate">
        <UntrustedText text={decided} mode="prose" />
      </span>
      <span className="shrink-0">{progress}</span>
    </span>
  );
}

function Progress({ tool, permission }: { tool: ToolItem; permission: PermissionItem | null }) {
  switch (tool.status) {
    case 'preparing':
      return <span>writing{tool.partialInput === null ? '' : ` ${tool.partialInput.length} characters`}…</span>;
    case 'running':
      return <LiveDuration since={permission?.answer?.at ?? tool.startedAt} />;
    case 'failed':
      return <span className="text-bad">failed</span>;
    case 'unfinished':
      return <span>not finished</span>;
    case 'succeeded': {
      const ranMs = ranForMs(tool, permission);
      return ranMs >= 1_000 ? <span>{formatDuration(ranMs)}</span> : null;
    }
  }
}

const WORDS = { failed: 'failed', succeeded: 'succeeded', abort: 'is not to be repeated' } as const;

function wordSentence({ outcome, note, by }: NonNullable<ToolItem['word']>): string {
  return `${by} said that it ${WORDS[outcome]}${note === null ? '' : `: ${note}`}. Claude sees it with the next message.`;
}

type Props = { row: ItemRow & { item: ToolItem }; renderChild: (row: ItemRow) => ReactNode };

/** One line for each use of a tool; unfolded, its whole input and result, and what its sub-agent did. */
export function ToolRow({ row, renderChild }: Props) {
  const { item: tool, permission, children } = row;
  const { cwd } = useReading();
  // A worker that died may or may not have let the tool finish: only a person can tell.
  const isOpenEnded = tool.status === 'unfinished' && tool.mutating && row.turnStatus === 'lost';
  const [isOpen, toggle] = useOpenRow(row.key, isOpenEnded);
  const summary = summariseTool(tool, cwd);
  const patch = patchOfTool(tool);
  const answer = permission?.answer ?? null;
  const bodyId = `${row.key}-body`;
  const lastChild = children.at(-1)?.item;
  return (
    <div
      className={classNames('relative overflow-hidden rounded-md ps-[3px]', isOpen && 'border border-line bg-surface')}
    >
      <span
        aria-hidden="true"
        className={classNames(
          'absolute inset-y-0 start-0 w-[3px] rounded-full',
          barOf(tool, permission, summary.kind),
          isOpen && 'rounded-none',
        )}
      />
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? bodyId : undefined}
        onClick={toggle}
        className="group/tool flex w-full items-center gap-2 rounded-e-md px-2 py-1 text-start text-sm transition-colors hover:bg-hover focus-visible:-outline-offset-2 pointer-coarse:py-2.5"
      >
        <span aria-hidden="true" className="text-faint">
          {ICONS[summary.kind]}
        </span>
        <span className={classNames('shrink-0', summary.isCommand ? 'font-mono text-faint' : 'font-medium')}>
          {summary.isCommand ? <span aria-label="Command">$</span> : <UntrustedText text={summary.verb} />}
        </span>
        <span className="min-w-0 truncate font-mono" title={revealHidden(summary.subject)}>
          <UntrustedText text={summary.subject} />
        </span>
        {summary.detail !== null && (
          <span className="min-w-0 shrink-[4] truncate text-faint">
            <UntrustedText text={summary.detail} mode="prose" />
          </span>
        )}
        {patch !== null && tool.status !== 'failed' && (
          <ChangeCount additions={patch.additions} deletions={patch.deletions} />
        )}
        <span className="ms-auto max-w-[50%] shrink-0 truncate ps-2 text-xs text-faint tabular-nums">
          <Outcome tool={tool} permission={permission} />
        </span>
        <ChevronRight
          size={14}
          aria-hidden="true"
          className={classNames('shrink-0 text-faint transition-transform', isOpen && 'rotate-90')}
        />
      </button>
      {!isOpen && children.length > 0 && (
        <p className="truncate ps-8 pb-1 text-sm text-faint">
          {plural(children.length, 'step')}
          {tool.status === 'running' &&
            lastChild?.type === 'tool' &&
            ` · ${revealHidden(`${summariseTool(lastChild, cwd).verb} ${summariseTool(lastChild, cwd).subject}`)}`}
        </p>
      )}
      {isOpen && (
        <div id={bodyId} className="border-t border-line">
          {answer !== null && (
            <p className="border-b border-line px-3 py-1.5 text-sm whitespace-pre-wrap text-muted wrap-anywhere">
              <UntrustedText
                text={answerSentence(
                  answer,
                  permission === null ? null : offeredRules(permission).map(ruleWords).join(', ') || null,
                )}
                mode="prose"
              />
            </p>
          )}
          {children.length > 0 && (
            <div className="stack gap-1.5 border-b border-line py-2 ps-4 pe-2">{children.map(renderChild)}</div>
          )}
          <ToolBody tool={tool} />
          {tool.word !== null && (
            <p className="border-t border-line px-3 py-2 text-sm text-muted">{wordSentence(tool.word)}</p>
          )}
        </div>
      )}
    </div>
  );
}
