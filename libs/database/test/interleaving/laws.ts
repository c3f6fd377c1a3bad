import { isFinal } from '@chirality/domain';
import type { Testimony } from './actors';
import type { StoredEvent, StoredTurn } from './turn-store';

/** Throws what is broken: every turn has one final state and one end, the log has no gap, and what was refused is not in it. */
export function assertLaws(turns: StoredTurn[], events: StoredEvent[], told: Testimony): void {
  assertNoGap(events);
  assertTestimony(events, told);
  for (const turnId of told.accepted)
    if (!turns.some(({ id }) => id === turnId)) throw new Error(`accepted turn ${turnId} is gone`);
  for (const turn of turns) assertOneEnd(turn, events);
  assertOneAtATime(events);
  const fences = turns.filter(({ attempt }) => attempt > 0).map(({ fence }) => fence);
  if (new Set(fences).size !== fences.length) throw new Error('two turns had one fence');
}

function assertNoGap(events: StoredEvent[]): void {
  events.forEach(({ id }, index) => {
    if (id !== index + 1) throw new Error(`event ${index + 1} has the id ${id}`);
  });
}

function assertTestimony(events: StoredEvent[], { written, refused }: Testimony): void {
  const texts = new Map<string, number>();
  for (const { text } of events) texts.set(text, (texts.get(text) ?? 0) + 1);
  for (const text of written)
    if (texts.get(text) !== 1) throw new Error(`${text} was written but is there ${texts.get(text) ?? 0} times`);
  for (const text of refused) if (texts.has(text)) throw new Error(`${text} was refused but is there`);
  const inOrder = (worker: string) =>
    events.filter(({ text }) => text.startsWith(worker)).map(({ text }) => Number(text.slice(1)));
  for (const worker of ['a', 'b']) {
    const own = inOrder(worker);
    if (own.some((number, index) => index > 0 && number <= (own[index - 1] as number)))
      throw new Error(`worker ${worker} wrote out of order: ${own.join()}`);
  }
}

function assertOneEnd(turn: StoredTurn, events: StoredEvent[]): void {
  if (!isFinal(turn.status)) throw new Error(`turn ${turn.id} is still ${turn.status}`);
  const own = events.filter(({ turn: of }) => of === turn.id);
  const ends = own.filter(({ kind }) => kind === 'turn:end');
  if (ends.length !== 1) throw new Error(`turn ${turn.id} has ${ends.length} ends`);
  if (ends[0]?.text !== turn.status)
    throw new Error(`turn ${turn.id} is ${turn.status} but its end says ${ends[0]?.text}`);
  if (own.filter(({ kind }) => kind === 'turn:queued').length !== 1)
    throw new Error(`turn ${turn.id} was not queued once`);
  const after = own
    .slice(own.findIndex(({ kind }) => kind === 'turn:end') + 1)
    .filter(({ kind }) => kind !== 'process:exit');
  if (after.length > 0) throw new Error(`turn ${turn.id} has ${after[0]?.kind} after its end`);
}

/** Between a turn's first event and its end there is nothing of another turn, but the end of a parked process. */
function assertOneAtATime(events: StoredEvent[]): void {
  let live: string | null = null;
  for (const { turn, kind, id } of events) {
    if (turn === null || kind === 'process:exit') continue;
    if (kind === 'turn:queued') {
      if (live) throw new Error(`event ${id}: a turn is queued while ${live} is live`);
      live = turn;
    }
    if (turn !== live) throw new Error(`event ${id} (${kind}) is of ${turn} while ${live ?? 'none'} is live`);
    if (kind === 'turn:end') live = null;
  }
}
