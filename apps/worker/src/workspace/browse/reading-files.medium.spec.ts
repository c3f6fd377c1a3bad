import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { describeAsOrdinaryUser } from '../../../test/sandbox-host';
import { refusalOf, useOperationFixture, type OperationFixture } from '../../../test/operation-fixture';
import type { ActContext } from '../act/act-context';
import { findFiles } from './find-files';
import { listFiles } from './list-files';
import { readFile } from './read-file';

jest.setTimeout(60_000);

let fixture: OperationFixture;
let context: ActContext;
useOperationFixture((made, session) => ([fixture, context] = [made, session]));

const agent = (text: string) => fixture.agent(context, text);

describeAsOrdinaryUser('listing files', () => {
  it('shows one level, sorted by name, without .git', async () => {
    await agent(
      'printf 12345 > "z 1"; printf x > Z; mkdir .hidden "$(printf "new\\nline")"; ln -s a.txt link; mkfifo pipe; git init -q nested',
    );
    expect(await listFiles(context, '')).toEqual({
      act: 'list-files',
      list: {
        data: [
          { path: '.hidden', kind: 'directory', size: 0 },
          { path: 'dir', kind: 'directory', size: 0 },
          { path: 'nested', kind: 'directory', size: 0 },
          { path: 'new\nline', kind: 'directory', size: 0 },
          { path: 'Z', kind: 'file', size: 1 },
          { path: 'a.txt', kind: 'file', size: 6 },
          { path: 'link', kind: 'symlink', size: 0 },
          { path: 'pipe', kind: 'other', size: 0 },
          { path: 'z 1', kind: 'file', size: 5 },
        ],
        nextCursor: null,
        total: 9,
        left: 0,
      },
    });
    expect(await listFiles(context, 'nested')).toMatchObject({ list: { data: [] } });
  });

  it('names files by their path in the workspace', async () => {
    expect(await listFiles(context, './dir/')).toMatchObject({
      list: { data: [{ path: 'dir/b.txt', kind: 'file', size: 2 }] },
    });
  });

  it('lists a large directory in pages that say how much is left', async () => {
    await agent('mkdir many; cd many; seq 1200 | xargs touch; mkdir zz');
    const seen: string[] = [];
    const left: number[] = [];
    let cursor: string | undefined;
    do {
      const reply = await listFiles(context, 'many', cursor);
      if (reply.act !== 'list-files') throw new Error(reply.act);
      expect(Buffer.byteLength(JSON.stringify(reply))).toBeLessThanOrEqual(256 * 1024);
      expect(reply.list.total).toBe(1_201);
      seen.push(...reply.list.data.map(({ path }) => path));
      left.push(reply.list.left);
      cursor = reply.list.nextCursor ?? undefined;
      if (seen.length === 500) await agent(`rm "${seen.at(-1)}"; touch "${seen.at(-1)}"`);
    } while (cursor !== undefined);
    expect(left).toEqual([701, 201, 0]);
    expect(seen[0]).toBe('many/zz');
    expect(new Set(seen).size).toBe(1_201);
    for (const bad of ['x', '../etc', '0/a/b', '2/a'])
      expect(await refusalOf(listFiles(context, 'many', bad))).toBe('VALIDATION_FAILED');
  });

  it('follows a link within the workspace and none that leads out', async () => {
    await agent(
      'ln -s dir in; ln -s / root; ln -s /workspace/dir absolute; ln -s ../.. up; ln -s nowhere dangling; ln -s .git repo; ln -s . self',
    );
    expect(await listFiles(context, 'in')).toMatchObject({ list: { data: [{ path: 'in/b.txt' }] } });
    expect(await listFiles(context, 'absolute')).toMatchObject({ list: { data: [{ path: 'absolute/b.txt' }] } });
    expect(await listFiles(context, 'self/self/dir')).toMatchObject({
      list: { data: [{ path: 'self/self/dir/b.txt' }] },
    });
    for (const path of ['root', 'root/etc', 'up', 'dangling', 'repo', 'a.txt', 'none', 'dir/none'])
      expect(await refusalOf(listFiles(context, path))).toBe(44);
  });
});

describeAsOrdinaryUser('finding files', () => {
  const found = async (find: string, path = '') => {
    const reply = await findFiles(context, path, find);
    if (reply.act !== 'list-files') throw new Error(reply.act);
    return reply.list.data.map((entry) => entry.path);
  };

  it('finds by part of the name at any depth, in capitals or not, ignored files too and .git never', async () => {
    await agent(
      'mkdir -p dir/Über node_modules/config; printf 123 > "dir/My Config.ts"; touch dir/Über/ÜBER.md; echo node_modules > .gitignore; ln -s dir conf-link; mkdir closed; touch closed/config; chmod 0 closed; git init -q dir/own',
    );
    expect(await findFiles(context, '', 'CONF')).toEqual({
      act: 'list-files',
      list: {
        data: [
          { path: 'conf-link', kind: 'symlink', size: 0 },
          { path: 'dir/My Config.ts', kind: 'file', size: 3 },
          { path: 'node_modules/config', kind: 'directory', size: 0 },
        ],
        nextCursor: null,
        total: 3,
        left: 0,
        atLeast: false,
      },
    });
    expect(await found('über')).toEqual(['dir/Über', 'dir/Über/ÜBER.md']);
    expect(await found('dir/my')).toEqual(['dir/My Config.ts']);
    expect(await found('my', 'dir')).toEqual(['dir/My Config.ts']);
    expect(await found('dir/my', 'dir')).toEqual(['dir/My Config.ts']);
    expect(await found('dir/', 'dir/Über')).toEqual(['dir/Über/ÜBER.md']);
    await agent('chmod 700 closed');
  });

  it('takes no part for a pattern, an option or a command', async () => {
    await agent(String.raw`touch -- 'a*b' 'a?b' 'a[x]b' 'a\b' axb -delete '$(id)' "$(printf 'new\nline')"`);
    for (const name of ['a*b', 'a?b', 'a[x]b', String.raw`a\b`, '-delete', '$(id)', 'new\nline'])
      expect([name, await found(name)]).toEqual([name, [name]]);
    expect(await found('*')).toEqual(['a*b']);
    expect(await found('nowhere')).toEqual([]);
    expect(await refusalOf(findFiles(context, '', 'a\0b'))).toBe('VALIDATION_FAILED');
  });

  it('looks nowhere outside, and says that it does not know where its time is up', async () => {
    await agent('ln -s / root; ln -s ../.. up');
    expect(await found('passwd')).toEqual([]);
    for (const path of ['root', 'up', 'none']) expect(await refusalOf(findFiles(context, path, 'x'))).toBe(44);
    const reply = await findFiles({ ...context, timeoutMs: 1 }, '', 'a');
    expect(reply).toMatchObject({ list: { data: [], total: 0, atLeast: true } });
  });
});

describeAsOrdinaryUser('reading a file', () => {
  it('gives text, and base64 for the rest', async () => {
    await agent(String.raw`printf 'caf\303\251' > t; printf '\377\000' > b; : > empty`);
    expect(await readFile(context, 't')).toEqual({
      act: 'read-file',
      file: {
        path: 't',
        size: 5,
        etag: createHash('sha256').update('café').digest('hex'),
        encoding: 'utf8',
        content: 'café',
        truncated: false,
      },
    });
    expect(await readFile(context, 'b')).toMatchObject({
      file: { size: 2, encoding: 'base64', content: '/wA=', truncated: false },
    });
    expect(await readFile(context, 'empty')).toMatchObject({
      file: { size: 0, encoding: 'utf8', content: '', truncated: false },
    });
  });

  it.each(['yes é', String.raw`yes "\\\\"`, 'cat /dev/urandom'])(
    'answers within 256 KiB whatever is in the file: %s',
    async (what) => {
      await agent(`${what} | head -c 700000 > large`);
      const reply = await readFile(context, 'large');
      expect(reply).toMatchObject({ file: { size: 700_000, truncated: true } });
      expect(Buffer.byteLength(JSON.stringify(reply))).toBeLessThanOrEqual(256 * 1024);
      expect(Buffer.byteLength(JSON.stringify(reply))).toBeGreaterThan(254 * 1024);
    },
  );

  it('reads names that look like options, patterns and commands', async () => {
    await agent(
      String.raw`for n in -rf --help '*' '$(id)' '; ls' "$(printf 'end\n')x" "$(printf 'a\nb')"; do printf %s "$n" > "./$n"; done; mkdir -- '-d'; echo in > ./-d/-e`,
    );
    for (const name of ['-rf', '--help', '*', '$(id)', '; ls', 'a\nb'])
      expect(await readFile(context, name)).toMatchObject({ file: { content: name } });
    expect(await readFile(context, '-d/-e')).toMatchObject({ file: { content: 'in\n' } });
  });

  it('reads no directory, pipe, socket, link that leads out or dangles, and nothing of .git', async () => {
    await agent(
      'mkfifo pipe; ln -s /etc/passwd passwd; ln -s /proc/self/environ env; ln -s ../sess10/workspace/secret sibling; ln -s nowhere dangling; ln -s loop loop; ln -s .git/config config; ln -s / root; ln -s .git repo; ln -s a.txt/ slash',
    );
    for (const path of [
      '',
      'dir',
      'pipe',
      'passwd',
      'env',
      'sibling',
      'dangling',
      'loop',
      'config',
      'root/etc/passwd',
      'repo/config',
      'slash',
      'a.txt/x',
      'none',
    ]) {
      const act = readFile(context, path);
      expect([44, 'NOT_FOUND']).toContain(await refusalOf(act));
    }
  });

  it('follows a link within the workspace', async () => {
    await agent('ln -s dir/b.txt in; ln -s /workspace/a.txt absolute; ln -s dir d');
    expect(await readFile(context, 'in')).toMatchObject({ file: { content: 'b\n' } });
    expect(await readFile(context, 'absolute')).toMatchObject({ file: { content: '1\n2\n3\n' } });
    expect(await readFile(context, 'd/b.txt')).toMatchObject({ file: { content: 'b\n' } });
  });

  it("cannot reach a neighbour whose directory's name begins with its own", async () => {
    await mkdir(fixture.files.path('sessions', 'sess10', 'workspace'), { recursive: true });
    await writeFile(fixture.files.path('sessions', 'sess10', 'workspace', 'secret'), 'theirs');
    await agent(`ln -s ${fixture.files.path('sessions', 'sess10', 'workspace')} there; ln -s ../../sess10 up`);
    expect(await refusalOf(readFile(context, 'there/secret'))).toBe(44);
    expect(await refusalOf(readFile(context, 'up/workspace/secret'))).toBe(44);
    expect(await refusalOf(listFiles(context, 'there'))).toBe(44);
  });

  it('reads nothing from outside while a directory and a link change places', async () => {
    await fixture.files.write('outside/b.txt', 'OUTSIDE');
    await agent(`ln -s /etc evil; mkdir -p real; echo mine > real/passwd; cp -r real swap`);
    const { workspace, objects } = context.workspace;
    const swapping = fixture.files.sandbox.spawn({
      profile: 'workspace',
      paths: { workspace, objects },
      command: ['/bin/sh', '-c', 'while :; do mv swap x; ln -s /etc swap; rm swap; mv x swap; done'],
    });
    try {
      const answers = new Set<unknown>();
      for (let round = 0; round < 40; round += 1) {
        const answer = readFile(context, 'swap/passwd').then((reply) =>
          reply.act === 'read-file' ? reply.file.content : reply.act,
        );
        answers.add(await answer.catch((error: { code: unknown }) => error.code));
      }
      expect([...answers].filter((answer) => answer !== 'mine\n' && answer !== 44)).toEqual([]);
    } finally {
      swapping.killTree();
      await swapping.exited;
    }
  });
});
