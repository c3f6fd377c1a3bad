import type { Envelope } from '@chirality/contracts';

/**
 * What holds of every session's log, whatever happened: ids 1..n; each turn begins with its message and has one end;
 * after that comes nothing of the turn but the exit of a process that outlived it.
 */
export function expectSoundLog(events: readonly Envelope[]): void {
  expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 1));
  for (const turnId of new Set(events.flatMap(({ turn }) => turn ?? []))) {
    const kinds = events.filter(({ turn }) => turn === turnId).map(({ kind }) => kind);
    expect({ turnId, first: kinds[0], ends: kinds.filter((kind) => kind === 'turn:end').length }).toEqual({
      turnId,
      first: 'turn:queued',
      ends: 1,
    });
    const after = kinds.slice(kinds.indexOf('turn:end') + 1);
    expect({ turnId, after }).toEqual({ turnId, after: after.length === 0 ? [] : ['process:exit'] });
  }
}
