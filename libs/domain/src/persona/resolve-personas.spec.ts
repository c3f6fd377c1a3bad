import { parsePersonaFile } from './persona-file';
import { listPersonas, resolvePersona, type PersonaCandidate } from './resolve-personas';

const BOUNDS = { maxTurns: 25 };
const APPROVAL = { userId: 'user_01J0000000000000000000000A', name: 'Ada', at: '2026-01-01T00:00:00.000Z' };
const WIDE = '---\ntools: Read, Bash\nauto_approve_tools: Bash(*)\nmodel: opus\nmax_turns: 400\n---\nDo all of it.';

function candidate(
  origin: PersonaCandidate['origin'],
  key: string,
  text = 'Help.',
  more: Partial<PersonaCandidate> = {},
): PersonaCandidate {
  const file = `AGENT_${key.toUpperCase()}.md`;
  return {
    key,
    origin,
    id: null,
    version: null,
    file,
    commit: null,
    contentHash: 'a'.repeat(64),
    approval: null,
    definition: parsePersonaFile(text, file),
    problem: null,
    ...more,
  } as PersonaCandidate;
}

describe('which persona a key means', () => {
  it('is the team’s before the built-in one, and a project’s only where there is no other', () => {
    const candidates = [
      candidate('project', 'reviewer'),
      candidate('built-in', 'reviewer'),
      candidate('project', 'own'),
      candidate('team', 'reviewer'),
    ];
    expect(
      listPersonas(candidates, BOUNDS).map(({ key, origin, shadowedBy, choosable }) => [
        key,
        origin,
        shadowedBy,
        choosable,
      ]),
    ).toEqual([
      ['reviewer', 'team', null, true],
      ['reviewer', 'built-in', 'team', false],
      ['own', 'project', null, true],
      ['reviewer', 'project', 'team', false],
    ]);
    expect(resolvePersona(candidates, 'reviewer', BOUNDS)).toMatchObject({ found: { persona: { origin: 'team' } } });
    expect(resolvePersona(candidates.slice(0, 2), 'reviewer', BOUNDS)).toMatchObject({
      found: { persona: { origin: 'built-in' } },
    });
    expect(resolvePersona(candidates, 'none', BOUNDS)).toBeNull();
  });

  it('never becomes a project’s file for a session that chose another one', () => {
    const left = [candidate('project', 'guide')];
    expect(resolvePersona(left, 'guide', BOUNDS, 'team')).toBeNull();
    expect(resolvePersona(left, 'guide', BOUNDS, 'built-in')).toBeNull();
    expect(resolvePersona(left, 'guide', BOUNDS, 'project')).toMatchObject({
      found: { persona: { origin: 'project' } },
    });
  });

  it('is the same of two files with one key, whatever their order', () => {
    const one = candidate('project', 'a', 'One.', { file: 'agents/AGENT_A.md' });
    const two = candidate('project', 'a', 'Two.', { file: 'agents/AGENT_a.md' });
    expect(resolvePersona([one, two], 'a', BOUNDS)).toEqual(resolvePersona([two, one], 'a', BOUNDS));
  });

  it('is nothing to choose where the file is broken, even if it hides no other', () => {
    const problem = {
      file: 'agents/AGENT_X.md',
      line: 3,
      field: 'max_turns',
      detail: 'must be a whole number, not "many"',
    };
    const broken = candidate('project', 'x', 'x', { definition: null, problem });
    expect(listPersonas([broken], BOUNDS)).toMatchObject([{ key: 'x', choosable: false, problem }]);
    expect(resolvePersona([broken], 'x', BOUNDS)).toEqual({ broken: problem });
  });
});

describe('what counts of a project’s persona', () => {
  it('is what narrows, and each thing that does not is named', () => {
    const found = resolvePersona([candidate('project', 'x', WIDE)], 'x', BOUNDS);
    expect(found).toMatchObject({ found: { options: { tools: ['Read', 'Bash'] } } });
    expect(found && 'found' in found && Object.keys(found.found.options)).toEqual(['tools']);
    expect(
      found &&
        'found' in found &&
        found.found.persona.narrowed.map(({ option, asked, given }) => [option, asked, given]),
    ).toEqual([
      ['autoApproveTools', ['Bash(*)'], []],
      ['model', 'opus', null],
      ['maxTurns', 400, 25],
    ]);
  });

  it('is a lower number of turns at once', () => {
    expect(resolvePersona([candidate('project', 'x', '---\nmax_turns: 3\n---\nHelp.')], 'x', BOUNDS)).toMatchObject({
      found: { options: { maxTurns: 3 }, persona: { narrowed: [] } },
    });
  });

  it('is all of it once that text is approved, and for others always', () => {
    const whole = { autoApproveTools: ['Bash(*)'], model: 'opus', maxTurns: 400 };
    expect(resolvePersona([candidate('project', 'x', WIDE, { approval: APPROVAL })], 'x', BOUNDS)).toMatchObject({
      found: { options: whole, persona: { approval: APPROVAL, narrowed: [] } },
    });
    expect(resolvePersona([candidate('team', 'x', WIDE)], 'x', BOUNDS)).toMatchObject({
      found: { options: whole, persona: { narrowed: [] } },
    });
  });
});
