import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CreatedToken } from '@chirality/contracts';
import { OWNER, startStack, TestClient, type Stack } from '@chirality/testing';

jest.setTimeout(180_000);

const PAGE = readFileSync(resolve(__dirname, '../../../docs/clients.md'), 'utf8');
const RECIPES = [...PAGE.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({
  language,
  code,
}));
const PROGRAMS: Record<string, string[]> = {
  bash: ['bash', '--norc', '-euo', 'pipefail', '-c'],
  python: ['python3', '-c'],
};
/** What each of them prints, in the page’s order. */
const EXPECTED = [/"status":"completed"/, /event: turn:queued[\s\S]*event: turn:end/, /\w[\s\S]*\ncompleted, \$\d/];

describe('the recipes of docs/clients.md', () => {
  let stack: Stack;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    stack = await startStack({ model: 'demo' });
    const person = await TestClient.login(stack.url, OWNER.email, OWNER.password);
    const { id, teamId } = await person.createProject('Recipes');
    const body = { name: 'recipes', teamId, identityClass: 'human' };
    const { secret } = (await person.call<CreatedToken>('POST', '/v1/tokens', body)).body;
    env = { PATH: process.env.PATH, CHIRALITY_URL: stack.url, CHIRALITY_TOKEN: secret, PROJECT: id };
  });
  afterAll(() => stack?.stop());

  it('are all run here', () => {
    expect(RECIPES.map(({ language }) => language)).toEqual(['bash', 'bash', 'python']);
  });

  it.each(RECIPES.map(({ language, code }, at) => ({ language, code, expected: EXPECTED[at]! })))(
    'work as they are written: $language',
    ({ language, code, expected }) => {
      const [program = '', ...words] = PROGRAMS[language] ?? [];
      if (spawnSync(program, ['--version']).error) return;
      const ended = spawnSync(program, [...words, code], { env, encoding: 'utf8', timeout: 60_000 });
      expect([ended.status, ended.stderr]).toEqual([0, ended.stderr]);
      expect(ended.stdout).toMatch(expected);
    },
  );
});
