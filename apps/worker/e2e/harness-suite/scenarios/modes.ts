import type { Scenario } from '../scenario';
import { call } from './calls';

const write = (file: string) => call('Write', { file_path: `/workspace/${file}`, content: file });

/** Planning, and how a session's permission mode, model and options change between turns. */
export const modes: Scenario[] = [
  {
    name: 'while planning nothing is changed',
    proves: 'P4',
    session: { options: { permissionMode: 'plan' } },
    turns: [
      {
        says: `${write('early.txt')} [[text Only a plan.]]`,
        ends: { status: 'completed', text: 'Only a plan.' },
        shows: async (seen) => {
          expect(seen.of('session:init')).toMatchObject([{ permissionMode: 'plan' }]);
          expect(seen.tools).toMatchObject([{ name: 'Write', isError: true }]);
          expect(await seen.file('early.txt')).toBeNull();
        },
      },
    ],
  },
  {
    name: 'while planning a sub-agent changes nothing either',
    proves: 'P4 E2',
    session: { options: { permissionMode: 'plan' } },
    turns: [
      {
        says: `${call('Task', { description: 'job', subagent_type: 'general-purpose', prompt: `${write('by-agent.txt')} [[text Could not.]]` })} [[text Only a plan.]]`,
        ends: { status: 'completed', text: 'Only a plan.' },
        shows: async (seen) => {
          expect(seen.tools[1]).toMatchObject({ name: 'Write', isError: true });
          expect(await seen.file('by-agent.txt')).toBeNull();
        },
      },
    ],
  },
  {
    name: 'a plan that is approved is carried out in the same turn',
    proves: 'P4',
    session: { options: { permissionMode: 'plan' } },
    turns: [
      {
        says: `${call('ExitPlanMode', { plan: '1. Write it' })} ${write('planned.txt')} [[text Done as planned.]]`,
        meanwhile: (live) => live.answer({ decision: 'allow_once' }),
        ends: { status: 'completed', text: 'Done as planned.' },
        shows: async (seen) => {
          expect(seen.of('permission:request')).toMatchObject([{ kind: 'plan', tool: 'ExitPlanMode' }]);
          expect(seen.notices('PERMISSION_MODE')).toHaveLength(1);
          expect(await seen.file('planned.txt')).toBe('planned.txt');
        },
      },
    ],
  },
  {
    name: 'a plan that is rejected is planned again, and still nothing is changed',
    proves: 'P4',
    session: { options: { permissionMode: 'plan' } },
    turns: [
      {
        says: `${call('ExitPlanMode', { plan: '1. Write it' })} ${write('hasty.txt')} [[text I plan on.]]`,
        meanwhile: (live) => live.answer({ decision: 'deny', reason: 'Think it over.' }),
        ends: { status: 'completed', text: 'I plan on.' },
        shows: async (seen) => {
          expect(seen.lastAsked).toContain('Think it over.');
          expect(await seen.file('hasty.txt')).toBeNull();
        },
      },
    ],
  },
  {
    name: 'a model that begins to plan unasked changes nothing until its plan is approved',
    proves: 'P4',
    turns: [
      {
        says: `${call('EnterPlanMode', {})} ${write('too-early.txt')} ${call('ExitPlanMode', { plan: '1. Write' })} ${write('in-time.txt')} [[text As planned.]]`,
        meanwhile: (live) => live.answer({ decision: 'allow_once' }),
        ends: { status: 'completed', text: 'As planned.' },
        shows: async (seen) => {
          expect(await seen.file('too-early.txt')).toBeNull();
          expect(await seen.file('in-time.txt')).toBe('in-time.txt');
        },
      },
    ],
  },
  {
    name: 'a session may plan in one turn and work in the next',
    proves: 'P4 B5',
    turns: [
      {
        says: `${write('not-yet.txt')} [[text A plan.]]`,
        options: { permissionMode: 'plan' },
        ends: { status: 'completed', text: 'A plan.' },
      },
      {
        says: `${write('now.txt')} [[text Done.]]`,
        ends: { status: 'completed', text: 'Done.' },
        shows: async (seen) => {
          expect(seen.of('session:init')).toMatchObject([{ permissionMode: 'default' }]);
          expect([await seen.file('not-yet.txt'), await seen.file('now.txt')]).toEqual([null, 'now.txt']);
        },
      },
    ],
  },
  {
    name: 'a session that plans, plans again in the turn after a plan that was approved',
    proves: 'P4 H18',
    session: { options: { permissionMode: 'plan' } },
    turns: [
      {
        says: `${call('ExitPlanMode', { plan: '1. Write it' })} ${write('first.txt')} [[text Done.]]`,
        meanwhile: (live) => live.answer({ decision: 'allow_once' }),
        ends: { status: 'completed', text: 'Done.' },
      },
      {
        says: `${write('second.txt')} [[text Planning again.]]`,
        ends: { status: 'completed', text: 'Planning again.' },
        shows: async (seen) => {
          expect(seen.of('session:init')).toMatchObject([{ permissionMode: 'plan' }]);
          expect([await seen.file('first.txt'), await seen.file('second.txt')]).toEqual(['first.txt', null]);
        },
      },
    ],
  },
  {
    name: 'a plan that the model began and did not end binds no later turn',
    proves: 'P4 H18',
    turns: [
      { says: `${call('EnterPlanMode', {})} [[text I plan.]]`, ends: { status: 'completed', text: 'I plan.' } },
      {
        says: `${write('work.txt')} [[text I work.]]`,
        ends: { status: 'completed', text: 'I work.' },
        shows: async (seen) => {
          expect(seen.of('session:init')).toMatchObject([{ permissionMode: 'default' }]);
          expect(await seen.file('work.txt')).toBe('work.txt');
        },
      },
    ],
  },
  {
    name: 'in the mode that accepts edits they are not asked about, and commands still are',
    proves: 'P1',
    session: { options: { permissionMode: 'acceptEdits' } },
    turns: [
      {
        says: `${write('edit.txt')} ${call('Bash', { command: 'touch bash.txt' })} [[text Edited.]]`,
        meanwhile: (live) => live.answer({ decision: 'deny' }),
        ends: { status: 'completed', text: 'Edited.' },
        shows: async (seen) => {
          expect(seen.of('permission:request')).toMatchObject([{ tool: 'Bash' }]);
          expect([await seen.file('edit.txt'), await seen.file('bash.txt')]).toEqual(['edit.txt', null]);
        },
      },
    ],
  },
  {
    name: 'the model may change between turns of one conversation',
    proves: 'H1 B5',
    turns: [
      {
        says: '[[text From the first.]]',
        options: { model: 'claude-haiku-4-5-20251001' },
        ends: { status: 'completed', text: 'From the first.' },
        shows: (seen) => expect(seen.turn.claude.model).toBe('claude-haiku-4-5-20251001'),
      },
      {
        says: '[[text From the second.]]',
        options: { model: 'claude-opus-4-5-20251101' },
        ends: { status: 'completed', text: 'From the second.' },
        shows: (seen) => {
          expect(seen.turn.claude.model).toBe('claude-opus-4-5-20251101');
          expect(seen.lastAsked).toContain('From the first.');
        },
      },
      {
        says: '[[text From the usual one.]]',
        ends: { status: 'completed' },
        shows: (seen) => expect(seen.turn.claude.model).toContain('sonnet'),
      },
    ],
  },
  {
    name: 'the words that a turn adds to the prompt reach the model, and are gone with the next turn',
    proves: 'A3',
    turns: [
      {
        says: '[[text With.]]',
        options: { appendPrompt: 'Always answer in verse, says the marmot.' },
        ends: { status: 'completed' },
        shows: (seen) => expect(JSON.stringify(seen.requests.at(-1)?.body)).toContain('says the marmot'),
      },
      {
        says: '[[text Without.]]',
        ends: { status: 'completed' },
        shows: (seen) =>
          expect(JSON.stringify((seen.requests.at(-1)?.body as { system: unknown }).system)).not.toContain(
            'says the marmot',
          ),
      },
    ],
  },
];
