import { PersonaTextRepository, personaTextHash, ProjectPersonaRepository } from '@chirality/database';
import { describeAsOrdinaryUser } from '../../test/sandbox-host';
import { StateFixture, type FixtureWorker } from '../../test/state-fixture';

jest.setTimeout(60_000);

let fixture: StateFixture;
let worker: FixtureWorker;
let scans: ProjectPersonaRepository;
beforeAll(async () => {
  fixture = await StateFixture.start();
  worker = await fixture.worker('personas');
  scans = new ProjectPersonaRepository(fixture.database);
});
afterAll(() => fixture.close());

/** A session of a project that is a git repository of these files, with links and whatever else a script makes. */
async function projectOf(
  files: Record<string, string>,
  script = ':',
): Promise<{ projectId: string; sessionId: string }> {
  const session = await fixture.session(files);
  const identity =
    'export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@b; cd "$W"; ';
  const mounts = { workspace: fixture.files.path('allowed', session.project.id) };
  await fixture.files.scripts.run({
    text: `${identity}${script}; git init -q -b main . && git add -A && git commit -qm one`,
    mounts,
    timeoutMs: 20_000,
    maxOutputBytes: 10_000,
  });
  return { projectId: session.project.id, sessionId: session.record.id };
}

const read = (projectId: string) => worker.jobs.handle({ act: 'read-personas', projectId });

describeAsOrdinaryUser('reading the persona files of a project', () => {
  it('takes them from the base commit, whatever the directory and its sessions have now', async () => {
    const { projectId, sessionId } = await projectOf({
      'agents/AGENT_GUIDE.md': 'Guide.\n',
      'agents/NOTES.md': 'no',
      'agents/deep/AGENT_DEEP.md': 'no',
      'AGENT_TOP.md': 'no',
    });
    const answer = await read(projectId);
    expect(answer).toEqual({ act: 'read-personas', commit: expect.stringMatching(/^[0-9a-f]{40}$/) });
    await fixture.files.write(`allowed/${projectId}/agents/AGENT_LATER.md`, 'Later.');
    await worker.jobs.handle({ act: 'list-files', sessionId, path: '' });
    expect(await read(projectId)).toEqual(answer);
    expect(await scans.findScan(projectId)).toEqual({
      bundleKey: expect.stringContaining(projectId),
      commit: 'commit' in answer ? answer.commit : '',
      files: [{ file: 'agents/AGENT_GUIDE.md', text: 'Guide.\n', refusal: null }],
    });
    expect(await new PersonaTextRepository(fixture.database).find(personaTextHash('Guide.\n'))).toBe('Guide.\n');
  });

  it('follows no link, and refuses by name what is no text or too large', async () => {
    const files = { 'agents/AGENT_BIG.md': 'x'.repeat(64_001), 'agents/AGENT_FINE.md': 'Fine.' };
    const make = String.raw`ln -s /etc/passwd agents/AGENT_LINK.md; mkdir agents/AGENT_DIR.md; echo x > agents/AGENT_DIR.md/x; printf 'a\000b' > agents/AGENT_NUL.md; printf 'a\377b' > agents/AGENT_RAW.md; printf 'One.' > "$(printf 'agents/AGENT_A\nB.md')"`;
    const { projectId } = await projectOf(files, make);
    await read(projectId);
    expect((await scans.findScan(projectId))?.files).toEqual([
      { file: 'agents/AGENT_BIG.md', text: null, refusal: 'is larger than 64,000 bytes' },
      { file: 'agents/AGENT_DIR.md', text: null, refusal: 'is no file' },
      { file: 'agents/AGENT_FINE.md', text: 'Fine.', refusal: null },
      { file: 'agents/AGENT_LINK.md', text: null, refusal: 'is a link, and links are not followed' },
      { file: 'agents/AGENT_NUL.md', text: null, refusal: 'holds a NUL character' },
      { file: 'agents/AGENT_RAW.md', text: null, refusal: 'is not UTF-8 text' },
    ]);
  });

  it('takes no more than fifty', async () => {
    const names = Array.from({ length: 52 }, (_, n) => `agents/AGENT_P${String(n).padStart(2, '0')}.md`);
    const { projectId } = await projectOf(Object.fromEntries(names.map((name) => [name, `I am ${name}.`])));
    await read(projectId);
    const files = (await scans.findScan(projectId))?.files ?? [];
    expect(files.filter(({ text }) => text !== null)).toHaveLength(50);
    expect(files.slice(50)).toMatchObject([
      { refusal: expect.stringContaining('at most 50') },
      { refusal: expect.stringContaining('at most 50') },
    ]);
  });

  it.each([
    ['no agents directory', 'true'],
    ['a file of that name', 'echo x > agents'],
    ['a link of that name', 'ln -s / agents'],
  ])('finds none where there is %s', async (_what, make) => {
    const { projectId } = await projectOf({ 'a.txt': 'a' }, make);
    expect(await read(projectId)).toMatchObject({ act: 'read-personas' });
    expect((await scans.findScan(projectId))?.files).toEqual([]);
  });

  it('says that there is no such project', async () => {
    expect(await read('proj_01J00000000000000000000000')).toMatchObject({ act: 'refused', code: 'NOT_FOUND' });
  });
});

describeAsOrdinaryUser('assembling the prompt of a next turn', () => {
  const SECRET = `ghp_${'a1B2'.repeat(9)}`;
  const persona = {
    key: 'guide',
    name: 'Guide',
    origin: 'project' as const,
    id: null,
    version: null,
    file: 'agents/AGENT_GUIDE.md',
    commit: 'c',
    contentHash: personaTextHash('Guide them.'),
    approval: null,
    narrowed: [],
  };

  it('has what the workspace says, the role by its hash, the mode and the addition, and masks secrets', async () => {
    const session = await fixture.session({ 'README.md': `Read me. ${SECRET}\n` });
    await new PersonaTextRepository(fixture.database).keep('Guide them.');
    const reply = await worker.jobs.handle({
      act: 'assemble-prompt',
      sessionId: session.record.id,
      mode: 'pipeline',
      persona,
      addition: 'Be brief.',
    });
    if (reply.act !== 'assemble-prompt') throw new Error(JSON.stringify(reply));
    expect(reply.sections.map(({ part, name }) => `${part} ${name}`)).toEqual([
      'base base',
      'context README.md',
      'persona guide',
      'mode mode',
      'addition addition',
    ]);
    const [, readme, role, , addition] = reply.sections.map(({ text }) => text);
    expect(readme).toContain('Read me. «redacted:');
    expect(JSON.stringify(reply)).not.toContain(SECRET);
    expect(role).toContain('(untrusted)');
    expect(role).toContain('Guide them.');
    expect(addition).toContain('Be brief.');
    expect(reply.cuts).toEqual([]);
  });

  it('says what does not fit', async () => {
    const session = await fixture.session({ 'AGENTS.md': 'a'.repeat(40_000) });
    const reply = await worker.jobs.handle({
      act: 'assemble-prompt',
      sessionId: session.record.id,
      mode: 'workbench',
      persona: null,
      addition: 'b'.repeat(50_000),
    });
    expect(reply).toMatchObject({ cuts: [{ part: 'context', name: 'AGENTS.md', removedCharacters: null }] });
  });

  it('refuses a role whose text was not kept', async () => {
    const session = await fixture.session();
    const reply = await worker.jobs.handle({
      act: 'assemble-prompt',
      sessionId: session.record.id,
      mode: 'workbench',
      persona: { ...persona, contentHash: 'f'.repeat(64) },
      addition: null,
    });
    expect(reply).toMatchObject({ act: 'refused', code: 'PERSONA_NOT_FOUND' });
  });
});
