import type { AnswerChannel } from '../harness/harness';
import { AnswerWitness, type HeardAnswer, type ToolRuling } from './answer-witness';

const silent: AnswerChannel = { isOpen: true, respond: () => true, respondError: () => true };
const callback = (decision: string) => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: decision },
});

/** What is answered in the order of the requests: of the callback, and of the question to a person. */
function witnessOf(...answers: (Record<string, unknown> | 'error' | 'nothing')[]): AnswerWitness {
  const witness = new AnswerWitness();
  const channel = witness.watch(silent);
  for (const [index, answer] of answers.entries()) {
    const requestId = `r${index}`;
    witness.wasAsked(
      requestId,
      index === 0
        ? { subtype: 'hook_callback', input: { tool_name: 'Bash', tool_use_id: 't1' } }
        : { subtype: 'can_use_tool', tool_use_id: 't1' },
    );
    if (answer === 'error') channel.respondError(requestId, 'failed');
    else if (answer !== 'nothing') channel.respond(requestId, answer);
  }
  return witness;
}

const ruled = (ruling: ToolRuling['ruling']): ToolRuling => ({
  type: 'tool-ruling',
  toolUseId: 't1',
  name: 'Bash',
  ruling,
});

describe('what the program says that it did, beside what we answered', () => {
  it.each<[string, AnswerWitness, ToolRuling['ruling']]>([
    ['it was allowed', witnessOf(callback('allow')), 'accepted'],
    ['it was allowed and the program does not say by whom', witnessOf(callback('allow')), 'unsaid'],
    ['a person allowed it', witnessOf(callback('ask'), { behavior: 'allow', updatedInput: {} }), 'accepted'],
    ['the program refused what we allowed', witnessOf(callback('allow')), 'rejected'],
    ['it was denied and refused', witnessOf(callback('deny')), 'rejected'],
    [
      'a person denied it and it was refused',
      witnessOf(callback('ask'), { behavior: 'deny', message: 'no' }),
      'rejected',
    ],
    ['it was refused unasked', witnessOf(), 'rejected'],
  ])('is in order when %s', (_, witness, ruling) => expect(witness.compare(ruled(ruling))).toBeNull());

  it.each<[string, AnswerWitness, ToolRuling['ruling'], HeardAnswer]>([
    ['that was denied ran', witnessOf(callback('deny')), 'accepted', 'deny'],
    ['that was denied ran and nothing is said of it', witnessOf(callback('deny')), 'unsaid', 'deny'],
    ['that ran without a request', witnessOf(), 'accepted', 'not asked'],
    ['that ran without a request and without a word', witnessOf(), 'unsaid', 'not asked'],
    ['ran before the callback was answered', witnessOf('nothing'), 'accepted', 'no answer'],
    ['ran after a callback that failed', witnessOf('error'), 'accepted', 'failure'],
    ['ran after an answer without a decision', witnessOf({}), 'accepted', 'no answer'],
    ['that a person was to be asked about ran at once', witnessOf(callback('ask')), 'accepted', 'ask'],
    ['ran while a person was still being asked', witnessOf(callback('ask'), 'nothing'), 'accepted', 'no answer'],
    [
      'ran although a person denied it',
      witnessOf(callback('ask'), { behavior: 'deny', message: 'no' }),
      'accepted',
      'deny',
    ],
    [
      'that was denied ran after it was asked about once more',
      witnessOf(callback('deny'), { behavior: 'allow', updatedInput: {} }),
      'accepted',
      'deny',
    ],
  ])('is a bypass when a tool %s', (_, witness, ruling, answered) => {
    expect(witness.compare(ruled(ruling))).toEqual({ toolUseId: 't1', tool: 'Bash', answered, reported: ruling });
  });

  it('hands on every answer as it is', () => {
    const sent: unknown[] = [];
    const channel = new AnswerWitness().watch({
      isOpen: true,
      respond: (...answer) => (sent.push(answer), true),
      respondError: (...answer) => (sent.push(answer), false),
    });
    expect([channel.isOpen, channel.respond('r1', { a: 1 }), channel.respondError('r2', 'no')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(sent).toEqual([
      ['r1', { a: 1 }],
      ['r2', 'no'],
    ]);
  });
});
