import { EventScript } from './event-script';
import { foldEvents } from './fold-events';
import { emptyTranscript } from './transcript-state';

const itemsOf = (script: EventScript) =>
  foldEvents(emptyTranscript(), script.events).turns.flatMap(({ items }) => items);
const begun = () => new EventScript().queue('turn_1', 'Hi').start();

describe('hooks in a transcript', () => {
  it('are one item while they follow each other, and another after something else', () => {
    const script = begun()
      .add('hook:event', { name: 'UserPromptSubmit', elapsedMs: 1 })
      .add('tool:start', { toolUseId: 't', name: 'Bash', input: {}, mutating: true })
      .add('hook:event', { name: 'PreToolUse', toolUseId: 't', decision: 'deny', agent: 'Explore', elapsedMs: 12 })
      .add('hook:event', { name: 'PostToolUse', toolUseId: 't', decision: 'odd', elapsedMs: 2 });
    expect(itemsOf(script).map((item) => (item.type === 'hooks' ? item.hooks : item.type))).toEqual([
      [{ name: 'UserPromptSubmit', toolUseId: null, decision: null, agent: null, elapsedMs: 1 }],
      'tool',
      [
        { name: 'PreToolUse', toolUseId: 't', decision: 'deny', agent: 'Explore', elapsedMs: 12 },
        { name: 'PostToolUse', toolUseId: 't', decision: null, agent: null, elapsedMs: 2 },
      ],
    ]);
  });

  it('are counted where there are too many to keep', () => {
    const script = begun();
    for (let n = 0; n < 60; n += 1) script.add('hook:event', { name: 'Stop', elapsedMs: n });
    const [item] = itemsOf(script);
    expect(item?.type === 'hooks' && { kept: item.hooks.length, count: item.count }).toEqual({ kept: 50, count: 60 });
  });
});
