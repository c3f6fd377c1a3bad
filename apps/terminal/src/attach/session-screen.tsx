import { completeSlashCommand, slashLine, type SlashCommand } from '@chirality/client';
import { Box, Static, Text, useInput, useStdout } from 'ink';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { EXIT } from '../program/exit-code';
import { rowLines } from '../transcript/row-lines';
import { sentenceOf } from '../program/failure';
import { edit, EMPTY, type Composed } from './composer-state';
import { ComposerView } from './composer-view';
import { LineView, LinesView } from './lines-view';
import type { LiveSession } from './live-session';
import { PermissionCard } from './permission-card';
import type { End } from './show-session';
import { StatusLine } from './status-line';
import { useActs } from './use-acts';

type Props = { live: LiveSession; commands: SlashCommand[]; colour: boolean; onEnd: (end: End) => void };

const MAX_OFFERED = 6;
/** The second Ctrl-C within this leaves. */
const LEAVE_WITHIN_MS = 2_000;

/** A session: what is settled scrolls away above, what may still change and the composer are drawn again below. */
export function SessionScreen({ live, commands, colour, onEnd }: Props) {
  const now = useSyncExternalStore(live.subscribe, live.snapshot);
  const { columns, rows } = useSize();
  const [composed, setComposed] = useState<Composed>(EMPTY);
  const [chosen, setChosen] = useState(0);
  const [history, setHistory] = useState<string[]>([]);
  const [recalled, setRecalled] = useState<number | null>(null);
  const [leavingSince, setLeavingSince] = useState(0);
  const acts = useActs({ live, commands, onEnd });
  const { permission, failure } = now;

  useEffect(() => {
    if (failure !== null) {
      live.say([{ text: sentenceOf(failure), tone: 'error' }]);
      onEnd({ kind: 'leave', exitCode: EXIT.refused });
    }
  }, [failure, live, onEnd]);

  const offered =
    permission !== null && acts.reasonFor !== null
      ? []
      : completeSlashCommand(composed.text, commands).slice(0, MAX_OFFERED);
  const picked = offered[Math.min(chosen, offered.length - 1)];

  const write = (next: Composed) => {
    setComposed(next);
    setChosen(0);
  };
  const interrupt = () => {
    if (Date.now() - leavingSince < LEAVE_WITHIN_MS) return onEnd({ kind: 'leave', exitCode: EXIT.interrupted });
    setLeavingSince(Date.now());
    if (composed.text !== '') write(EMPTY);
    else if (now.active !== null) acts.interrupt();
  };
  const submit = (text: string) => {
    const isReason = acts.reasonFor !== null;
    if (text.trim() === '' && !isReason) return;
    if (!isReason) setHistory([text, ...history]);
    setRecalled(null);
    write(EMPTY);
    acts.submit(text, (refused) =>
      setComposed((current) => (current.text === '' ? { text: refused, caret: refused.length } : current)),
    );
  };
  const recall = (by: 1 | -1) => {
    const at = (recalled ?? -1) + by;
    if (at >= history.length) return;
    setRecalled(at < 0 ? null : at);
    const text = history[at] ?? '';
    write({ text, caret: text.length });
  };

  useInput((input, key) => {
    if (key.ctrl && input === 'c') return interrupt();
    if (key.ctrl && input === 'd' && composed.text === '') return onEnd({ kind: 'leave', exitCode: EXIT.done });
    const isCard = permission !== null && acts.reasonFor === null && composed.text === '';
    if (isCard && (key.upArrow || key.downArrow)) return acts.move(permission, key.upArrow ? -1 : 1);
    if (isCard && key.return) return acts.choose(permission);
    if (key.escape) return acts.reasonFor === null ? write(EMPTY) : acts.cancelReason();
    if (picked !== undefined && (key.upArrow || key.downArrow))
      return setChosen((chosen + (key.downArrow ? 1 : offered.length - 1)) % offered.length);
    if (picked !== undefined && key.tab) {
      const text = `/${slashLine(picked)} `;
      return write({ text, caret: text.length });
    }
    if (key.upArrow) return recall(1);
    if (key.downArrow) return recall(-1);
    if (key.return) {
      if (key.meta || key.shift) return write(edit(composed, 'j', { ctrl: true }) ?? composed);
      // What is half typed is completed first, so that Enter never sends the beginning of a command.
      const isBeginning = picked !== undefined && `/${slashLine(picked)}` !== composed.text;
      return submit(isBeginning ? `/${slashLine(picked)}` : composed.text);
    }
    const next = edit(composed, input, key);
    if (next === null) return;
    // A terminal that hands over a line at once ends it with its Enter.
    const isWhole = /^[^\r\n]+\r$/.test(input);
    if (isWhole) submit(next.text.replace(/\n$/, ''));
    else write(next);
  });

  const isLeaving = leavingSince > 0 && Date.now() - leavingSince < LEAVE_WITHIN_MS;
  const room = Math.max(3, rows - 8 - (permission === null ? 0 : Math.min(14, Math.floor(rows / 2))) - offered.length);
  const open = now.open.flatMap((row) => rowLines(row, columns)).slice(-room);
  const todos = now.active === null ? [] : now.todos.slice(0, 5);

  return (
    <Box flexDirection="column">
      <Static items={[...now.printed]}>{(line) => <LineView key={line.id} line={line} colour={colour} />}</Static>
      <LinesView lines={open} colour={colour} />
      {todos.length > 0 && permission === null && open.length + todos.length <= room && (
        <LinesView
          lines={todos.map(({ text, status }) => ({
            text: `  ${MARKS[status]} ${text.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ').slice(0, columns - 6)}`,
            tone: 'dim',
          }))}
          colour={colour}
        />
      )}
      {permission !== null && (
        <PermissionCard
          item={permission}
          chosen={acts.chosenIn(permission)}
          columns={columns}
          rows={rows}
          colour={colour}
        />
      )}
      <ComposerView
        composed={composed}
        columns={columns}
        label={labelOf(acts.reasonFor !== null, now.active !== null)}
        colour={colour}
      />
      {offered.map((command) => (
        <Text key={slashLine(command)} wrap="truncate-end" {...(command === picked && colour ? { color: 'cyan' } : {})}>
          {`${command === picked ? '›' : ' '} /${slashLine(command).padEnd(20)} ${command.description}`}
        </Text>
      ))}
      {isLeaving ? (
        <Text>Press Ctrl-C again to leave. What runs continues.</Text>
      ) : (
        <StatusLine live={live} colour={colour} />
      )}
    </Box>
  );
}

const MARKS = { pending: '☐', in_progress: '▸', completed: '☑' } as const;

function labelOf(isReason: boolean, isBusy: boolean): string {
  if (isReason) return 'Reason (Claude will see it). Enter denies, Esc goes back.';
  return isBusy ? 'Write your next message…' : 'Message Claude, or / for commands';
}

function useSize(): { columns: number; rows: number } {
  const { stdout } = useStdout();
  const read = () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 });
  const [size, setSize] = useState(read);
  useEffect(() => {
    const changed = () => setSize({ columns: stdout.columns || 80, rows: stdout.rows || 24 });
    stdout.on('resize', changed);
    return () => void stdout.off('resize', changed);
  }, [stdout]);
  return size;
}
