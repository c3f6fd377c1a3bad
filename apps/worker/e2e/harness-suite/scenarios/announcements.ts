import type { Scenario } from '../scenario';
import { call } from './calls';

/** What the program says that it is, held against what was asked for, and what is kept of what it said. */
export const announcements: Scenario[] = [
  {
    name: 'the program is where and what it was asked to be',
    proves: 'H18 H5',
    session: { options: { permissionMode: 'acceptEdits', tools: ['Read', 'Write', 'Bash'] } },
    turns: [
      {
        says: '[[text Here.]]',
        ends: { status: 'completed' },
        shows: async (seen) => {
          const [init] = seen.of('session:init');
          expect(init).toMatchObject({
            cwd: '/workspace',
            permissionMode: 'acceptEdits',
            claudeSessionId: seen.turn.claude.sessionId,
            claudeCodeVersion: seen.turn.claude.version,
          });
          expect([...(init?.['tools'] as string[])].sort()).toEqual(['Bash', 'Read', 'Write']);
          expect((await seen.watched.person.session(seen.watched.id)).claudeSessionId).toBe(seen.turn.claude.sessionId);
        },
      },
    ],
  },
  {
    name: 'a tool that was asked for and is not there is said',
    proves: 'H18',
    session: { options: { tools: ['Read', 'Levitate'] } },
    notices: ['INIT_MISMATCH'],
    turns: [
      {
        says: '[[text Without levitation.]]',
        ends: { status: 'completed' },
        shows: (seen) => expect(seen.notices('INIT_MISMATCH')).toEqual([expect.stringContaining('Levitate')]),
      },
    ],
  },
  {
    name: 'what the program wrote is kept byte for byte, and what it received besides',
    proves: 'H4 H13',
    turns: [
      {
        says: `${call('Glob', { pattern: '*' })} [[text Kept.]]`,
        ends: { status: 'completed', text: 'Kept.' },
        shows: async (seen) => {
          const path = `/v1/sessions/${seen.watched.id}/turns/${seen.turn.id}`;
          const raw = await seen.download(`${path}/raw`);
          const records = raw
            .split('\n')
            .filter(Boolean)
            .map((line) => JSON.parse(line) as Record<string, unknown>);
          expect(raw.endsWith('\n')).toBe(true);
          expect(records.find(({ subtype }) => subtype === 'init')).toMatchObject({
            session_id: seen.turn.claude.sessionId,
          });
          expect(records.filter(({ type }) => type === 'result')).toMatchObject([{ result: 'Kept.' }]);
          expect(await seen.download(`${path}/prompt`)).toContain('Chirality');
        },
      },
    ],
  },
];
