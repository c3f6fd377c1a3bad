import { neutraliseOutput, type ToolItem, type TranscriptState } from '@chirality/domain';
import { Terminal } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { classNames } from '../../../components/class-names';
import { EmptyState } from '../../../components/ui/empty-state';
import { UntrustedText } from '../../../components/text/untrusted-text';
import { LoadEarlier } from './load-earlier';
import type { Earlier } from '../../../lib/transcript/earlier';
import { resultParts } from '../tool/result-text';

const SHOWN_COMMANDS = 60;
const SHOWN_LINES = 60;

function commandsOf(state: TranscriptState): ToolItem[] {
  return state.turns
    .flatMap((turn) => turn.items.filter((item): item is ToolItem => item.type === 'tool' && item.name === 'Bash'))
    .slice(-SHOWN_COMMANDS);
}

function outputOf(tool: ToolItem): string {
  if (tool.status === 'running') return tool.progressText ?? '';
  const text = resultParts(tool.content)
    .map((part) => (part.kind === 'text' ? part.text : '[picture]'))
    .join('\n');
  const lines = neutraliseOutput(text).trimEnd().split('\n');
  return lines.length <= SHOWN_LINES
    ? lines.join('\n')
    : [`… ${lines.length - SHOWN_LINES} lines before`, ...lines.slice(-SHOWN_LINES)].join('\n');
}

/** The commands of the session and what they printed, one after the other. */
export function TerminalTab({ state, earlier }: { state: TranscriptState; earlier: Earlier }) {
  const commands = commandsOf(state);
  const endRef = useRef<HTMLDivElement>(null);
  const last = commands.at(-1);
  useEffect(() => {
    // Newer browsers answer with a promise, which an effect must not return.
    void endRef.current?.scrollIntoView({ block: 'end' });
  }, [last?.key, last?.status]);
  if (commands.length === 0) {
    return (
      <EmptyState
        icon={<Terminal size={20} />}
        title={earlier.hasMore ? 'No commands in the latest messages' : 'No commands yet'}
        action={earlier.hasMore && <LoadEarlier earlier={earlier} what="commands" />}
      >
        Every command that Claude runs is listed here with its output.
      </EmptyState>
    );
  }
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label="Commands and their output"
      className="h-full overflow-auto bg-sunken p-3 font-mono text-sm/[1.5] focus-visible:-outline-offset-2"
    >
      {commands.length < SHOWN_COMMANDS && <LoadEarlier earlier={earlier} what="commands" className="pb-3 font-sans" />}
      {commands.map((tool) => {
        const command = (tool.input as { command?: unknown } | null)?.command;
        const output = outputOf(tool);
        return (
          <div key={tool.key} className="pb-3">
            <p className="whitespace-pre-wrap wrap-anywhere">
              <span className="text-accent select-none">$ </span>
              <UntrustedText text={typeof command === 'string' ? command : ''} />
            </p>
            {output !== '' && (
              <pre
                className={classNames(
                  'whitespace-pre-wrap wrap-anywhere',
                  tool.status === 'failed' ? 'text-bad' : 'text-muted',
                )}
              >
                {output}
              </pre>
            )}
            {tool.status === 'running' && (
              <span className="inline-block h-4 w-2 animate-breathe bg-accent align-text-bottom" />
            )}
          </div>
        );
      })}
      <div ref={endRef} />
    </div>
  );
}
