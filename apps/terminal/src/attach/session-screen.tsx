import { completeSlashCommand, slashLine, type SlashCommand } from '@chirality/client';
import { Box, Static, useInput, useStdout, type Key } from 'ink';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { EXIT } from '../program/exit-code';
import { rowLines } from '../transcript/row-lines';
import { sentenceOf } from '../program/failure';
import { oneLine, safe, safeText, type SafeText } from '../text/safe-text';
import { edit, EMPTY, type Composed } from './composer-state';
import { ComposerView } from './composer-view';
import { LineView, LinesView } from './lines-view';
import type { LiveSession } from './live-session';
import { PermissionCard } from './permission-card';
import type { End } from './show-session';
import { StatusLine } from './status-line';
import { useActs } from './use-acts';
import { useCard } from './use-card';
import { useLatest } from './use-latest';
import { Words } from './words';

type Props = { live: LiveSession; commands: SlashCommand[]; colour: boolean; onEnd: (end: End) => void };

const MAX_OFFERED = 6;
/** The second Ctrl-C within this leaves. */
const LEAVE_WITHIN_MS = 2_000;

/** A session: what is settled scrolls away above, what may still change and the composer are drawn again below. */
export function SessionScreen({ live, commands, colour, onEnd }: Props) {
  const now = useSyncExternalStore(live.subscribe, live.snapshot);
  const { columns, rows } = useSize();
  const draft = useLatest<Composed>(EMPTY);
  const chosen = useLatest(0);
  const history = useRef<string[]>([]);
  const recalled = useRef<number | null>(null);
  const [leavingSince, setLeavingSince] = useState(0);
  const acts = useActs({ live, commands, onEnd });
  const { permission, failure } = now;
  const card = useCard(permission, columns, rows);

  useEffect(() => {
    if (failure !== null) {
      live.say([{ text: sentenceOf(failure), tone: 'error' }]);
      onEnd({ kind: 'leave', exitCode: EXIT.refused });
    }
  }, [failure, live, onEnd]);

  const isReason = permission !== null && acts.isGivingReason();
  const offeredFor = ({ text }: Composed) =>
    isReason ? [] : completeSlashCommand(text, commands).slice(0, MAX_OFFERED);
  const pickedOf = (offers: SlashCommand[]) => offers[Math.min(chosen.read(), offers.length - 1)];

  const write = (next: Composed) => {
    draft.write(next);
    chosen.write(0);
  };
  const interrupt = () => {
    if (Date.now() - leavingSince < LEAVE_WITHIN_MS) return onEnd({ kind: 'leave', exitCode: EXIT.interrupted });
    setLeavingSince(Date.now());
    if (draft.read().text !== '') write(EMPTY);
    else if (now.active !== null) acts.interrupt();
  };
  const submit = (text: string) => {
    const isGivingReason = acts.isGivingReason();
    if (text.trim() === '' && !isGivingReason) return;
    if (!isGivingReason) history.current = [text, ...history.current];
    recalled.current = null;
    write(EMPTY);
    acts.submit(text, (refused) => {
      if (draft.read().text === '') draft.write({ text: refused, caret: refused.length });
    });
  };
  const recall = (by: 1 | -1) => {
    const at = (recalled.current ?? -1) + by;
    if (at >= history.current.length) return;
    recalled.current = at < 0 ? null : at;
    const text = history.current[at] ?? '';
    write({ text, caret: text.length });
  };

  const onKey = (input: string, key: Key) => {
    const composed = draft.read();
    const offered = offeredFor(composed);
    const picked = pickedOf(offered);
    if (key.ctrl && input === 'c') return interrupt();
    if (key.ctrl && input === 'd' && composed.text === '') return onEnd({ kind: 'leave', exitCode: EXIT.done });
    const isGivingReason = acts.isGivingReason();
    const turning =
      key.pageDown || (key.ctrl && input === 'f') ? 1 : key.pageUp || (key.ctrl && input === 'b') ? -1 : 0;
    if (turning !== 0) return card?.turn(turning);
    if (card !== null && !isGivingReason && composed.text === '') {
      if (key.upArrow || key.downArrow) return acts.move(card.item, card.page.isRead, key.upArrow ? -1 : 1);
      if (key.return) return acts.choose(card.item, card.page.isRead);
    }
    if (key.escape) return isGivingReason ? acts.cancelReason() : write(EMPTY);
    if (picked !== undefined && (key.upArrow || key.downArrow))
      return chosen.write((chosen.read() + (key.downArrow ? 1 : offered.length - 1)) % offered.length);
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
  };
  // A key may come before the effects of the last drawing ran: it is read by what is on the screen.
  const newest = useRef(onKey);
  newest.current = onKey;
  useInput((input, key) => newest.current(input, key));

  const offered = offeredFor(draft.shown);
  const picked = pickedOf(offered);
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
            text: safeText(`  ${MARKS[status]} ${oneLine(text).slice(0, columns - 6)}`),
            tone: 'dim',
          }))}
          colour={colour}
        />
      )}
      {card !== null && (
        <PermissionCard item={card.item} page={card.page} chosen={acts.chosenIn(card.item)} colour={colour} />
      )}
      <ComposerView
        composed={draft.shown}
        columns={columns}
        label={labelOf(isReason, now.active !== null)}
        colour={colour}
      />
      {offered.map((command) => (
        <Words key={slashLine(command)} {...(command === picked && colour ? { color: 'cyan' } : {})}>
          {safeText(`${command === picked ? '›' : ' '} /${slashLine(command).padEnd(20)} ${command.description}`)}
        </Words>
      ))}
      {isLeaving ? (
        <Words>{safe`Press Ctrl-C again to leave. What runs continues.`}</Words>
      ) : (
        <StatusLine live={live} colour={colour} />
      )}
    </Box>
  );
}

const MARKS = { pending: '☐', in_progress: '▸', completed: '☑' } as const;

function labelOf(isReason: boolean, isBusy: boolean): SafeText {
  if (isReason) return safe`Reason (Claude will see it). Enter denies, Esc goes back.`;
  return isBusy ? safe`Write your next message…` : safe`Message Claude, or / for commands`;
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
