import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '..', '..', '..');
const migrations = (...args: string[]) =>
  spawnSync(process.execPath, [join(root, 'scripts', 'migrations.mjs'), ...args], { encoding: 'utf8', cwd: root });

describe('the migrations and schema.prisma', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'migrations-'));
    cpSync(join(root, 'prisma'), directory, { recursive: true });
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  test('agree', () => {
    const { status, stdout, stderr } = migrations('check');
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: 'migrations and schema.prisma agree\n',
      stderr: '',
    });
  }, 60_000);

  test('that they do not is found, and a migration that makes them agree can be written', () => {
    const schema = join(directory, 'schema.prisma');
    writeFileSync(
      schema,
      readFileSync(schema, 'utf8').replace('  name        String\n', '  name        String\n  motto String?\n'),
    );
    const found = migrations('check', '--in', directory);
    expect([found.status, found.stderr]).toEqual([2, expect.stringContaining('ADD COLUMN     "motto" TEXT')]);
    const before = readdirSync(join(directory, 'migrations'));
    expect(migrations('create', 'add_motto', '--in', directory).status).toBe(0);
    const [added] = readdirSync(join(directory, 'migrations')).filter((name) => !before.includes(name));
    expect(added).toMatch(/^\d{14}_add_motto$/);
    expect(readFileSync(join(directory, 'migrations', added ?? '', 'migration.sql'), 'utf8')).toContain(
      'ALTER TABLE "team" ADD COLUMN     "motto" TEXT',
    );
  }, 60_000);
});
