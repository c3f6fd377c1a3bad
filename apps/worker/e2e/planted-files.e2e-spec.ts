import { execFileSync } from 'node:child_process';
import type { Turn } from '@chirality/contracts';
import { deniedCommand, markOf, plantingCommand, wordOf, type Attack } from './planted/attack';
import { ATTACKS_ON_SHELL_AND_GIT } from './planted/attacks-on-shell-and-git';
import { ATTACKS_ON_THE_PROGRAM } from './planted/attacks-on-the-program';
import { limits, startFaultStack, type FaultStack } from './support/fault-stack';
import { WatchedSession } from './support/watched-session';

jest.setTimeout(180_000);

/** They change nothing, and each looks at what may have been planted. */
const GIT = ['git status', 'git diff', 'git log -2', 'git show HEAD', 'git blame one.txt'];
const QUIET = ['ls', 'cat one.txt', 'node --version', 'npm --version', 'python3 --version'];
/** A file of the project says which program that is, so it is asked about. */
const CHOSEN = 'yarn --version';
const LATER = ['the process that waited', 'a new process'] as const;

type Seen = { marks: string[]; denied: string[]; asked: string[]; requests: string };

describe.each([
  [
    'for the program',
    ATTACKS_ON_THE_PROGRAM,
    {
      Agent: { description: 'look', prompt: '[[text Looked.]]', subagent_type: 'general-purpose' },
      Skill: { skill: 'planted' },
      Read: { file_path: '/workspace/sub/x.txt' },
    },
    [CHOSEN],
  ],
  // Its configuration names programs now.
  ['for shell and git', ATTACKS_ON_SHELL_AND_GIT, {}, [...GIT, CHOSEN]],
] as const)('what a command planted %s', (_, attacks, also, asked) => {
  let product: FaultStack;
  const seen = new Map<(typeof LATER)[number], Seen>();

  beforeAll(async () => {
    product = await startFaultStack({
      env: { CHIRALITY_PARKED_MS: '60000', CHIRALITY_WORKER_SLOTS: '1', ...limits({ unattendedMs: 300 }) },
    });
    const { person, projectId, stack } = product;
    await person.call('POST', `/v1/projects/${projectId}/rules`, { tool: 'Bash', pattern: 'touch *', effect: 'deny' });
    const watched = await WatchedSession.open(person, projectId);
    const marks = () =>
      execFileSync('find', [stack.directory, '-path', `*${watched.id}*`, '-name', 'ran-*', '-printf', '%f\n'], {
        encoding: 'utf8',
      })
        .split('\n')
        .filter(Boolean);
    const run = async (message: string, options: Record<string, unknown>, process: string): Promise<Turn> => {
      const turn = await watched.end(await watched.send(message, options), 90_000);
      expect({
        error: turn.error,
        status: turn.status,
        process: watched.payloads(turn, 'turn:start')[0]?.['process'],
      }).toEqual({ error: null, status: 'completed', process });
      return turn;
    };
    // The second command shows whether what was planted for the shell already holds in the turn that planted it.
    const prepare =
      'cd /workspace && printf "one\\n" > one.txt && git add -A && git commit -qm one && printf "two\\n" >> one.txt';
    await run(
      `${calls([
        ['Bash', { command: prepare }],
        ['Bash', { command: plantingCommand(attacks) }],
      ])} [[text Planted.]]`,
      { maxTurns: 100, autoApproveTools: ['Bash'] },
      'cold',
    );
    expect(marks()).toEqual([]);
    const unmark = () =>
      execFileSync('find', [stack.directory, '-path', `*${watched.id}*`, '-name', 'ran-*', '-delete']);
    for (const [later, options, process] of [
      [LATER[0], {}, 'parked'],
      [LATER[1], { maxTurns: 90 }, 'cold'],
    ] as const) {
      unmark();
      const before = stack.model?.requests().length ?? 0;
      const commands = [
        ...attacks.filter(({ allows }) => allows).map(deniedCommand),
        'touch ran-at-all',
        ...QUIET,
        ...GIT,
        CHOSEN,
      ];
      const turn = await run(
        `${calls([...commands.map((command) => ['Bash', { command }] as const), ...Object.entries(also)])} [[text Done.]]`,
        { maxTurns: 100, autoApproveTools: ['Skill'], ...options },
        process,
      );
      seen.set(later, {
        marks: marks(),
        denied: turn.permissionDenials.map(({ input }) => (input as { command?: string }).command ?? ''),
        asked: watched.payloads(turn, 'permission:request').map(({ input }) => (input as { command: string }).command),
        requests: JSON.stringify(
          stack.model
            ?.requests()
            .slice(before)
            .map(({ body }) => body),
        ),
      });
    }
    await watched.expectLawful();
    watched.close();
  }, 180_000);
  afterAll(() => product?.stop());

  describe.each(LATER)('in %s', (later) => {
    it.each(attacks.map((attack) => [attack.name, attack] as const))(
      '%s: neither runs nor speaks',
      (_name, attack: Attack) => {
        const { marks, denied, requests } = seen.get(later) as Seen;
        expect({ ran: marks.includes(markOf(attack)), spoke: requests.includes(wordOf(attack)) }).toEqual({
          ran: false,
          spoke: false,
        });
        if (attack.allows) expect(denied).toContain(deniedCommand(attack));
      },
    );

    it('and the rule holds, while a person is asked only about what could run it', () => {
      const { marks, denied, asked: seenAsked } = seen.get(later) as Seen;
      expect({ marks, denied: denied.includes('touch ran-at-all'), asked: seenAsked }).toEqual({
        marks: [],
        denied: true,
        asked,
      });
    });
  });
});

function calls(list: readonly (readonly [tool: string, input: object])[]): string {
  return list.map(([tool, input]) => `[[tool ${tool} ${JSON.stringify(input)}]]`).join(' ');
}
