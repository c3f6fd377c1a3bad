import { waitFor } from '@chirality/testing';
import { LONG_SLEEP, marked, running } from '../../support/process-scan';
import type { Scenario, Step } from '../scenario';
import { call } from './calls';

const CONTINUES: Step = { says: '[[text Still here.]]', ends: { status: 'completed', text: 'Still here.' } };

/** The program dies in mid-sentence: each signal that can come from outside. */
const DEATHS: readonly NodeJS.Signals[] = ['SIGKILL', 'SIGSEGV', 'SIGTERM', 'SIGHUP'];

/** The program's life and death. */
export const processes: Scenario[] = [
  ...DEATHS.map((signal): Scenario => ({
    name: `ended from outside by ${signal} in mid-answer: started once more, and what it said is taken back`,
    proves: 'H10',
    turns: [
      {
        says: 'Twice, please. [[slow words=20 delay=30]]',
        meanwhile: async (live) => {
          await live.saw('chat:delta');
          await live.kill(signal);
        },
        ends: { status: 'completed', attempt: 2 },
        inOrder: [
          'turn:start',
          'chat:delta',
          'chat:withdrawn',
          'process:exit',
          'turn:start',
          'chat:complete',
          'process:exit',
          'turn:end',
        ],
        shows: (seen) => {
          expect(seen.turn.text).toMatch(/^word1 .* word20$/);
          expect(seen.of('process:exit').map(({ attempt, final }) => ({ attempt, final }))).toEqual([
            { attempt: 1, final: false },
            { attempt: 2, final: true },
          ]);
        },
      },
      CONTINUES,
    ],
  })),
  {
    name: 'ended from outside while a tool that may change something runs: not started again',
    proves: 'H10 L4',
    session: { options: { autoApproveTools: ['Bash'] } },
    turns: [
      {
        says: `[[text I change it.]]&${call('Bash', { command: `echo ran >> once.txt; ${LONG_SLEEP}.3` })} [[text Never.]]`,
        meanwhile: async (live) => {
          await waitFor(() => running(`${LONG_SLEEP}.3`).length >= 1, { what: 'the command runs', timeoutMs: 20_000 });
          await live.kill('SIGKILL');
        },
        ends: { status: 'failed', code: 'PROCESS_CRASHED', text: 'I change it.', degraded: true, attempt: 1 },
        shows: async (seen) => {
          expect(await seen.file('once.txt')).toBe('ran\n');
          expect(marked(`${LONG_SLEEP}.3`)).toEqual([]);
        },
      },
      CONTINUES,
    ],
  },
  {
    name: 'ended from outside while only reading tools ran: started once more',
    proves: 'H10',
    turns: [
      {
        says: `${call('Glob', { pattern: '*' })} [[slow words=20 delay=30]]`,
        meanwhile: async (live) => {
          await live.saw('chat:delta');
          await live.kill('SIGKILL');
        },
        ends: { status: 'completed', attempt: 2 },
      },
    ],
  },
  {
    name: 'ended from outside twice: fails, with what was said',
    proves: 'H10',
    turns: [
      {
        says: '[[slow words=100 delay=30]]',
        meanwhile: async (live) => {
          await live.saw('chat:delta');
          await live.kill('SIGKILL');
          await live.saw('chat:withdrawn');
          await live.saw('turn:start', ({ attempt }) => attempt === 2);
          await waitFor(() => live.saidSince('turn:start', 'chat:delta'), {
            what: 'it speaks again',
            timeoutMs: 30_000,
          });
          await live.kill('SIGKILL');
        },
        ends: { status: 'failed', code: 'PROCESS_CRASHED', degraded: true, attempt: 2 },
        shows: (seen) => expect(seen.turn.text).toMatch(/^word1/),
      },
      CONTINUES,
    ],
  },
  {
    name: 'ended from outside while a person is asked: fails once, and the question is closed',
    proves: 'H10 P2',
    turns: [
      {
        says: `[[text A question.]]&${call('Bash', { command: 'make' })} [[text Never.]]`,
        meanwhile: async (live) => {
          await live.saw('permission:request');
          await live.kill('SIGKILL');
        },
        ends: { status: 'failed', code: 'PROCESS_CRASHED', text: 'A question.', attempt: 1 },
        shows: (seen) => expect(seen.of('permission:resolve')).toMatchObject([{ outcome: 'run_ended' }]),
      },
      CONTINUES,
    ],
  },
  {
    name: 'what a command leaves behind in the background is gone with the turn',
    proves: 'S1 H8',
    session: { options: { autoApproveTools: ['Bash'] } },
    turns: [
      {
        says: `${call('Bash', { command: `nohup ${LONG_SLEEP}.4 > /dev/null 2>&1 & (setsid sh -c "trap '' TERM HUP INT; ${LONG_SLEEP}.4" > /dev/null 2>&1 &) ; echo left` })} [[text Left some.]]`,
        ends: { status: 'completed', text: 'Left some.' },
        shows: async () =>
          waitFor(() => marked(`${LONG_SLEEP}.4`).length === 0, { what: 'the strays are gone', timeoutMs: 5_000 }),
      },
      CONTINUES,
    ],
  },
  {
    name: 'a command that the model wants in the background is not, so nothing runs on after the answer',
    proves: 'C2',
    session: { options: { autoApproveTools: ['Bash'] } },
    turns: [
      {
        says: `${call('Bash', { command: `${LONG_SLEEP}.5`, run_in_background: true })} [[text It could not.]]`,
        ends: { status: 'completed', text: 'It could not.' },
        shows: (seen) => {
          expect(marked(`${LONG_SLEEP}.5`)).toEqual([]);
          expect(seen.of('session:complete')).toHaveLength(1);
        },
      },
    ],
  },
  {
    name: 'ten crashes in a row leave no process, and the eleventh turn is as good as any',
    proves: 'H10 O6',
    patient: true,
    session: { options: { autoApproveTools: ['Bash'] } },
    turns: [
      ...Array.from({ length: 10 }, (_, index): Step => ({
        says: `${call('Bash', { command: `(setsid ${LONG_SLEEP}.6 &) ; ${LONG_SLEEP}.6 # ${index}` })} [[text Never.]]`,
        meanwhile: async (live) => {
          await waitFor(() => running(`${LONG_SLEEP}.6`).length >= 2, { what: 'the command runs', timeoutMs: 30_000 });
          await live.kill('SIGKILL');
        },
        ends: { status: 'failed', code: 'PROCESS_CRASHED', attempt: 1 },
        shows: () => expect(marked(`${LONG_SLEEP}.6`)).toEqual([]),
      })),
      CONTINUES,
    ],
  },
];
