import { parseUnifiedDiff, type OptionsItem, type TranscriptItem } from '@chirality/domain';
import {
  CircleAlert,
  GitFork,
  Info,
  Minimize2,
  RotateCw,
  SlidersHorizontal,
  TriangleAlert,
  Unplug,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../../../components/class-names';
import { formatCount } from '../../../lib/format/count';
import { formatUsd } from '../../../lib/format/money';
import { NameText } from '../../../components/text/untrusted-text';
import { optionsSentence } from '../../options/option-names';
import { useReading } from '../reading-context';
import { DiffView } from '../../../components/diff/diff-view';
import { errorTitle } from '../error-titles';
import { OutputText } from '../tool/tool-output';

/** A thin line across the conversation, for what happened to it as a whole. */
function Divider({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className="flex items-center gap-3 py-3 text-xs text-faint">
      <span aria-hidden="true" className="h-px flex-1 bg-line" />
      <span className="flex items-center gap-1.5">
        {icon}
        {children}
      </span>
      <span aria-hidden="true" className="h-px flex-1 bg-line" />
    </p>
  );
}

const LEVELS = {
  info: { icon: <Info size={14} />, ink: 'text-muted', mark: 'text-faint' },
  warning: { icon: <TriangleAlert size={14} />, ink: 'text-text', mark: 'text-warn' },
  error: { icon: <CircleAlert size={14} />, ink: 'text-text', mark: 'text-bad' },
} as const;

function Note({
  level,
  title,
  children,
}: {
  level: keyof typeof LEVELS;
  title?: string | undefined;
  children: ReactNode;
}) {
  const look = LEVELS[level];
  return (
    <p className={classNames('flex gap-2 px-2 py-1 text-sm', look.ink)}>
      <span aria-hidden="true" className={classNames('mt-[3px] shrink-0', look.mark)}>
        {look.icon}
      </span>
      <span className="min-w-0 wrap-anywhere">
        {title !== undefined && <strong className="font-medium">{title}. </strong>}
        {children}
      </span>
    </p>
  );
}

/** What a turn had changed when it was cut off: its answer does not say. */
function CutOffChanges({ patch }: { patch: string }) {
  return (
    <details className="my-1.5 rounded-lg border border-line bg-surface">
      <summary className="rounded-lg px-3.5 py-2 text-sm font-medium text-muted hover:text-text">
        What it had changed
      </summary>
      {parseUnifiedDiff(patch).map((file, at) => (
        <div key={at} className="border-t border-line">
          <p className="px-3.5 py-1.5 font-mono text-sm">{file.path}</p>
          <DiffView patch={file} className="max-h-96 border-t border-line" />
        </div>
      ))}
    </details>
  );
}

/** What the program said that a notice is about. */
function WhatItSaid({ output }: { output: string }) {
  return (
    <details className="my-1.5 rounded-lg border border-line bg-surface">
      <summary className="rounded-lg px-3.5 py-2 text-sm font-medium text-muted hover:text-text">What it said</summary>
      <div className="border-t border-line">
        <OutputText text={output} label="Output" />
      </div>
    </details>
  );
}

function OptionsChange({ item }: { item: OptionsItem }) {
  const { nameOf } = useReading();
  return (
    <Divider icon={<SlidersHorizontal size={13} className="shrink-0" />}>
      <span>
        {item.byId === null ? (
          'The options were changed'
        ) : (
          <>
            <NameText text={nameOf(item.byId)} /> changed the options
          </>
        )}
        . {optionsSentence(item.options)}, from the next turn.
      </span>
    </Divider>
  );
}

function tokens(count: number | null): string {
  return count === null ? '?' : formatCount(count);
}

const END_REASONS: Record<string, string> = {
  user: 'The session’s process was stopped',
  idle: 'Asleep until the next message',
  error: 'The session ended after an error',
  shutdown: 'The server was stopped',
};

/** Everything that happened beside what was said and done; null for what is shown elsewhere. */
export function MarkRow({ item }: { item: TranscriptItem }) {
  switch (item.type) {
    case 'notice':
      return (
        <>
          <Note level={item.level}>{item.text}</Note>
          {item.patch !== null && <CutOffChanges patch={item.patch} />}
          {item.output && <WhatItSaid output={item.output} />}
        </>
      );
    case 'error':
      return (
        <Note level={item.retryable ? 'warning' : 'error'} title={errorTitle(item.code)}>
          {item.detail}
        </Note>
      );
    case 'budget':
      return (
        <Note level={item.percent >= 100 ? 'error' : 'warning'} title={`${item.percent} % of a budget is used`}>
          {formatUsd(item.spentUsd)} of {formatUsd(item.limitUsd)}
        </Note>
      );
    case 'compaction':
      return (
        <Divider icon={<Minimize2 size={13} />}>
          Conversation compacted: {tokens(item.preTokens)} → {tokens(item.postTokens)} tokens
          {item.trigger === 'auto' ? ', automatically' : ''}
        </Divider>
      );
    case 'attempt':
      return <Divider icon={<RotateCw size={13} />}>The process ended early; this is attempt {item.attempt}</Divider>;
    case 'fork':
      return <Divider icon={<GitFork size={13} />}>Claude continued in a new conversation</Divider>;
    case 'gap':
      return (
        <Divider icon={<Unplug size={13} />}>
          Events {item.from} to {item.to} are no longer kept
        </Divider>
      );
    case 'options':
      return <OptionsChange item={item} />;
    case 'session-end':
      return <Divider icon={<Unplug size={13} />}>{END_REASONS[item.reason] ?? 'The session ended'}</Divider>;
    default:
      return null;
  }
}
