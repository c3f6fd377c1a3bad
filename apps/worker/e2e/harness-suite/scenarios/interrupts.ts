import type { Scenario, Step } from '../scenario';
import { call } from './calls';
import { LONG_SLEEP, marked, running } from '../../support/process-scan';
import { waitFor } from '@chirality/testing';

const CONTINUES: Step = { says: '[[text Still here.]]', ends: { status: 'completed', text: 'Still here.' } };
const INTERRUPTED: Step['ends'] = { status: 'interrupted', degraded: false };

/** A person stops a turn, at every stage of it. */
export const interrupts: Scenario[] = [
  {
    name: 'interrupted before the program announced itself',
    proves: 'H8',
    turns: [
      {
        says: '[[hang]]',
        meanwhile: async (live) => {
          await live.saw('turn:start');
          await live.interrupt();
        },
        ends: { ...INTERRUPTED, text: '' },
      },
      CONTINUES,
    ],
  },
  {
    name: 'interrupted while the model has not yet said anything',
    proves: 'H8',
    turns: [
      {
        says: '[[hang]]',
        meanwhile: async (live) => {
          await live.saw('session:init');
          await live.interrupt();
        },
        ends: { ...INTERRUPTED, text: '' },
      },
      CONTINUES,
    ],
  },
  {
    name: 'interrupted while it answers: what was said is kept, and the next turn knows it',
    proves: 'H8 H6',
    turns: [
      {
        says: '[[slow words=300 delay=30]]',
        meanwhile: async (live) => {
          await live.saw('chat:delta', ({ text }) => String(text).includes('word'));
          await live.interrupt();
        },
        ends: INTERRUPTED,
        shows: (seen) => {
          expect(seen.turn.text).toMatch(/^word1/);
          expect(seen.kinds).not.toContain('session:error');
        },
      },
      { ...CONTINUES, shows: (seen) => expect(seen.lastAsked).toContain('word1') },
    ],
  },
  {
    name: 'interrupted while it thinks',
    proves: 'H8',
    turns: [
      {
        says: '[[thinking one two three four five six seven eight nine ten eleven twelve thirteen delay=100 by=word]]&[[text Never.]]',
        meanwhile: async (live) => {
          await live.saw('thinking:delta');
          await live.interrupt();
        },
        ends: { ...INTERRUPTED, text: '' },
      },
      CONTINUES,
    ],
  },
  {
    name: 'interrupted inside a command: all that it started is gone, and it is not called a failure',
    proves: 'H8 S1',
    session: { options: { autoApproveTools: ['Bash'] } },
    turns: [
      {
        says: `${call('Bash', { command: `(setsid ${LONG_SLEEP}.1 &) ; trap '' INT TERM ; ${LONG_SLEEP}.1` })} [[text Never.]]`,
        meanwhile: async (live) => {
          await waitFor(() => running(`${LONG_SLEEP}.1`).length >= 2, { what: 'the command runs', timeoutMs: 20_000 });
          await live.interrupt();
        },
        ends: INTERRUPTED,
        shows: () => expect(marked(`${LONG_SLEEP}.1`)).toEqual([]),
      },
      CONTINUES,
    ],
  },
  {
    name: 'interrupted while a person is asked: the question is closed',
    proves: 'H8 P2',
    turns: [
      {
        says: `${call('Bash', { command: 'make' })} [[text Never.]]`,
        meanwhile: async (live) => {
          await live.saw('permission:request');
          await live.interrupt();
        },
        ends: INTERRUPTED,
        shows: (seen) => expect(seen.of('permission:resolve')).toMatchObject([{ outcome: 'run_ended' }]),
      },
      CONTINUES,
    ],
  },
  {
    name: 'interrupted while a plan waits to be approved',
    proves: 'H8 P4',
    session: { options: { permissionMode: 'plan' } },
    turns: [
      {
        says: `${call('ExitPlanMode', { plan: '1. Nothing' })} [[text Never.]]`,
        meanwhile: async (live) => {
          await live.saw('permission:request');
          await live.interrupt();
        },
        ends: INTERRUPTED,
      },
      CONTINUES,
    ],
  },
  {
    name: 'interrupted while the program waits to ask the model again',
    proves: 'H8',
    turns: [
      {
        says: '[[error 529]]',
        meanwhile: async (live) => {
          await live.saw('turn:retry', ({ attempt }) => Number(attempt) >= 2);
          await live.interrupt();
        },
        ends: { ...INTERRUPTED, text: '' },
      },
      CONTINUES,
    ],
  },
  {
    name: 'interrupted while a sub-agent works: the sub-agent stops, too',
    proves: 'H8 E2',
    session: { options: { autoApproveTools: ['Bash'] } },
    turns: [
      {
        says: `${call('Task', { description: 'job', subagent_type: 'general-purpose', prompt: `${call('Bash', { command: `${LONG_SLEEP}.2` })} [[text Never.]]` })} [[text Never either.]]`,
        meanwhile: async (live) => {
          await waitFor(() => running(`${LONG_SLEEP}.2`).length >= 1, {
            what: 'the command of the sub-agent runs',
            timeoutMs: 20_000,
          });
          await live.interrupt();
        },
        ends: INTERRUPTED,
        shows: () => expect(marked(`${LONG_SLEEP}.2`)).toEqual([]),
      },
      CONTINUES,
    ],
  },
  {
    name: 'interrupted many times at once',
    proves: 'H8',
    turns: [
      {
        says: '[[slow words=300 delay=30]]',
        meanwhile: async (live) => {
          await live.saw('chat:delta');
          await Promise.all(Array.from({ length: 8 }, () => live.interrupt()));
        },
        ends: INTERRUPTED,
      },
      CONTINUES,
    ],
  },
  {
    name: 'interrupted as soon as it is sent',
    proves: 'H8',
    turns: [
      {
        says: '[[hang]]',
        meanwhile: (live) => live.interrupt(),
        ends: { text: '' },
        shows: (seen) => expect(['cancelled', 'interrupted']).toContain(seen.turn.status),
      },
      CONTINUES,
    ],
  },
];
