import { EventScript } from './event-script';
import { foldEvents } from './fold-events';
import { emptyTranscript } from './transcript-state';

describe('messages that wait, in a transcript', () => {
  it('are no rows: it says which event told of them last', () => {
    const script = new EventScript()
      .queue('turn_1', 'Hi')
      .start()
      .add('queue:update', { items: [{ id: 'item_1', author: { userId: 'user_1', name: 'Ada' }, message: 'x' }] });
    const state = foldEvents(emptyTranscript(), script.events);
    expect(state.queueEventId).toBe(state.lastEventId);
    expect(state.turns.flatMap(({ items }) => items)).toEqual([]);
  });

  it('leave a notice where they were dropped, with whose they were and why', () => {
    const script = new EventScript()
      .queue('turn_1', 'Hi')
      .add('queue:update', { items: [], dropped: { id: 'item_1', author: { name: 'Ada' }, detail: 'She left.' } });
    const { turns } = foldEvents(emptyTranscript(), script.events);
    expect(turns.flatMap(({ items }) => items)).toMatchObject([
      { type: 'notice', level: 'warning', text: 'A queued message of Ada was not sent. She left.' },
    ]);
  });
});
