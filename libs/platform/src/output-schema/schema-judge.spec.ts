import { SchemaJudge } from './schema-judge';

const SLOW = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
const ENDLESS = { a: `${'a'.repeat(60)}!` };
const PET = { type: 'object', properties: { legs: { type: 'integer' } } };

/** References that multiply: `definitions` of them, each of which names the one before twice. */
function multiplied(definitions: number) {
  const named = Array.from({ length: definitions }, (_, at) => {
    const before = { $ref: `#/definitions/d${at - 1}` };
    return [`d${at}`, at === 0 ? { type: 'string' } : { anyOf: [before, before] }] as const;
  });
  return {
    type: 'object',
    properties: { a: { $ref: `#/definitions/d${definitions - 1}` } },
    definitions: Object.fromEntries(named),
  };
}

describe('the judge of schemas', () => {
  const judge = new SchemaJudge();

  it('gives up a pattern, references or a circle that take too long, and is there for the next', async () => {
    expect(await judge.outputFault('s', SLOW, ENDLESS)).toBe('it takes too long to check');
    expect(await judge.schemaFault('s', multiplied(40))).toBeNull();
    expect(await judge.outputFault('s', multiplied(40), { a: 3 })).toBe('it takes too long to check');
    expect(await judge.outputFault('s', { type: 'object', allOf: [{ $ref: '#' }] }, {})).toMatch(/call stack/);
    expect(await judge.outputFault('s', PET, { legs: 'four' })).toBe('/legs must be integer');
    expect(await judge.outputFault('s', PET, { legs: 4 })).toBeNull();
  });

  it('lets the loop turn meanwhile', async () => {
    await judge.schemaFault('s', { type: 'object', title: 'loads the thread' });
    let turns = 0;
    const turning = setInterval(() => (turns += 1), 10);
    await judge.outputFault('s', SLOW, ENDLESS);
    clearInterval(turning);
    expect(turns).toBeGreaterThan(5);
  });

  it('is there for others by turns, and refuses an owner of whom too much waits', async () => {
    const order: string[] = [];
    const ask = (owner: string, at: number) =>
      judge.schemaFault(owner, { type: 'object', title: `${owner} ${at}` }).then(() => order.push(owner));
    const asked = [ask('a', 0), ask('a', 1), ask('a', 2), ask('b', 0)];
    await Promise.all(asked);
    expect(order).toEqual(['a', 'a', 'b', 'a']);
    const many = await Promise.allSettled(Array.from({ length: 40 }, (_, at) => ask('c', at)));
    const refused = many.filter((each) => each.status === 'rejected');
    expect(refused).toHaveLength(19);
    expect(refused[0]?.reason).toMatchObject({ code: 'RATE_LIMITED' });
  });

  it('keeps what cannot be copied from the thread', async () => {
    const deep = JSON.parse('{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000)) as unknown;
    expect(await judge.outputFault('s', PET, deep)).toMatch(/too much memory|call stack|^$/);
  });
});
