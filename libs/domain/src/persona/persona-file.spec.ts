import {
  parsePersonaFile,
  PersonaFileError,
  personaFileOf,
  personaKeyOf,
  type PersonaDefinition,
} from './persona-file';

const parse = (source: string): PersonaDefinition => parsePersonaFile(source, 'agents/AGENT_BUG_HUNTER.md');
const withFields = (fields: string): PersonaDefinition => parse(`---\n${fields}\n---\nHunt bugs. Slowly.`);

describe("a persona's file", () => {
  it('has fields as texts or as lists', () => {
    const expected = {
      key: 'bug-hunter',
      name: 'Hunter',
      description: 'Finds: bugs',
      options: {
        tools: ['Read', 'Bash'],
        disallowedTools: ['WebFetch'],
        autoApproveTools: ['Bash(git log, *)', 'Edit'],
        maxTurns: 12,
        model: 'opus',
      },
      prompt: 'Hunt bugs. Slowly.',
    };
    expect(
      withFields(
        'name: Hunter\ndescription: "Finds: bugs"\ntools: Read, Bash\ndisallowed_tools: WebFetch\nauto_approve_tools: Bash(git log, *), Edit\nmax_turns: 12\nmodel: opus',
      ),
    ).toEqual(expected);
    expect(
      withFields(
        "# comment\n\nname: 'Hunter'\ndescription: Finds: bugs\ntools: [Read, \"Bash\"]\ndisallowed_tools:\n  - WebFetch\nauto_approve_tools:\n- Bash(git log, *)\n- Edit\nmax_turns: '12'\nmodel: opus",
      ),
    ).toEqual(expected);
  });

  it('needs no fields at all', () => {
    expect(parse('\uFEFF# Title\r\n\r\nFinds bugs. And more.')).toEqual({
      key: 'bug-hunter',
      name: 'Bug hunter',
      description: 'Finds bugs.',
      options: {},
      prompt: '# Title\n\nFinds bugs. And more.',
    });
    expect(withFields('tools: default').options).toEqual({ tools: 'default' });
  });

  it.each<[string, number, string | null, RegExp]>([
    ['max_turns: many', 2, 'max_turns', /must be a whole number, not "many"/],
    ['max_turns: 0', 2, 'max_turns', /.+/],
    ['name: x\nmax_turns: 5000', 3, 'max_turns', /.+/],
    ['max_turns: [1, 2]', 2, 'max_turns', /must be one text/],
    ['model: a b', 2, 'model', /model name/],
    ['tools: Read Bash', 2, 'tools', /one tool name/],
    ['max_turn: 5', 2, 'max_turn', /is no field of a persona; known are name, description, tools/],
    ['tools: Read\ntools: Bash', 3, 'tools', /given twice/],
    ['tools:', 2, 'tools', /has no value/],
    ['tools: [Read', 2, 'tools', /closing/],
    ['name: "open', 2, 'name', /not closed/],
    ['just text', 2, null, /neither/],
    ['- item', 2, null, /without the name/],
    ['name: x\n- item', 3, 'name', /without the name/],
  ])('%j is refused at its line', (fields, line, field, detail) => {
    const refused = (): PersonaDefinition => withFields(fields);
    expect(refused).toThrow(PersonaFileError);
    expect(refused).toThrow(detail);
    expect(refused).toThrow(expect.objectContaining({ file: 'agents/AGENT_BUG_HUNTER.md', line, field }));
    expect(refused).toThrow(new RegExp(`^agents/AGENT_BUG_HUNTER.md:${line}: ${field ?? ''}`));
  });

  it('is refused when its fields are not closed, or when it says nothing', () => {
    expect(() => parse('---\nname: x\n')).toThrow(
      'agents/AGENT_BUG_HUNTER.md:1: the "---" of line 1 is never closed by another one',
    );
    expect(() => parse('---\nname: x\n---\n \n')).toThrow(/no text after the fields/);
    expect(() => parsePersonaFile('x', 'agents/reviewer.md')).toThrow(/AGENT_<KEY>/);
    expect(personaKeyOf('AGENT_.md')).toBeNull();
    expect(personaKeyOf(personaFileOf('Bug_hunter'))).toBe('bug-hunter');
  });
});
