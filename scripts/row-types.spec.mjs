import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMBERSHIP = {
  name: 'Membership',
  dbName: 'membership',
  fields: [
    { name: 'teamId', dbName: 'team_id', kind: 'scalar', type: 'String', isRequired: true },
    {
      name: 'role',
      kind: 'scalar',
      type: 'String',
      isRequired: false,
      documentation: `What they may.\n[Role | 'guest']`,
    },
    { name: 'hosts', kind: 'scalar', type: 'String', isRequired: true, isList: true },
    { name: 'cost', dbName: 'cost_usd', kind: 'scalar', type: 'Decimal', isRequired: true },
    { name: 'joinedAt', dbName: 'joined_at', kind: 'scalar', type: 'DateTime', isRequired: false },
    { name: 'team', kind: 'object', type: 'Team', isRequired: true },
  ],
};
const CLIENT = `import type * as runtime from "@prisma/client/runtime/client"
export type MembershipMinAggregateOutputType = {
    role: string | null
}
export type $MembershipPayload<ExtArgs> = {
  scalars: runtime.Types.Extensions.GetPayloadResult<{
    teamId: string
    role: string | null
  }, ExtArgs["result"]["membership"]>
  composites: {}
}
`;

describe('the generator of row types', () => {
  /** @type {string} */
  let directory;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'row-types-'));
    mkdirSync(join(directory, 'models'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const generate = (/** @type {string} */ client) => {
    writeFileSync(join(directory, 'models', 'Membership.ts'), client);
    const params = { generator: { output: { value: directory } }, dmmf: { datamodel: { models: [MEMBERSHIP] } } };
    const { stderr } = spawnSync(process.execPath, [join(__dirname, 'row-types.mjs')], {
      input: `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'generate', params })}\n`,
      encoding: 'utf8',
    });
    return JSON.parse(stderr);
  };

  it('names columns as the database does, with what the driver makes of them', () => {
    expect(generate(CLIENT)).toMatchObject({ id: 1, result: null });
    expect(readFileSync(join(directory, 'rows.ts'), 'utf8').split('\n\n')[1]).toBe(
      `/** A row of \`membership\`. */
export interface MembershipRow {
  team_id: string;
  role: contracts.Role | 'guest' | null;
  hosts: string[];
  cost_usd: string;
  joined_at: Date | null;
}`,
    );
  });

  it('knows the column of each field', () => {
    generate(CLIENT);
    expect(readFileSync(join(directory, 'rows.ts'), 'utf8')).toContain(
      `Membership: { teamId: 'team_id', role: 'role', hosts: 'hosts', cost: 'cost_usd', joinedAt: 'joined_at' },`,
    );
  });

  it('gives the client the types that the schema names, where it reads rows', () => {
    generate(CLIENT);
    expect(readFileSync(join(directory, 'models', 'Membership.ts'), 'utf8')).toBe(
      CLIENT.replace('import', `import type * as contracts from '@chirality/contracts';\nimport`).replace(
        '    role: string | null\n  }, ',
        "    role: contracts.Role | 'guest' | null\n  }, ",
      ),
    );
  });

  it('fails where the client has another form than the one that it knows', () => {
    const { error } = generate(CLIENT.replaceAll('role: string | null', 'role: $Types.String'));
    expect(error.message).toBe('the client of this Prisma has no Membership.role where it was looked for');
  });
});
