import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { TESTED_HARNESSES } from '../../../e2e/harness-suite/harnesses';
import type { Sandbox } from '../../sandbox/sandbox';
import type { Harness } from '../harness';
import { Harnesses, HARNESSES } from './harnesses';

function fakeHarness(name: Harness['name'], versions: (string | null)[]): Harness {
  return {
    name,
    keptConfig: [],
    findVersion: async () => versions.shift() ?? null,
    argumentsFor: () => [],
    start: () => {
      throw new Error('nothing is started');
    },
  };
}

describe('the harnesses of a worker', () => {
  it('are all put through the shared suite', () => {
    expect(TESTED_HARNESSES.map(({ name }) => name)).toEqual(HARNESSES.map(({ name }) => name));
    // A file each, so that they run side by side.
    for (const { name } of HARNESSES)
      for (const file of [`harness-${name}`, `harness-warm-${name}`])
        expect(existsSync(join(__dirname, '../../../e2e', `${file}.e2e-spec.ts`))).toBe(true);
  });

  it('are those that report their version, and one that does so later is available from then on', async () => {
    const harnesses = new Harnesses({} as Sandbox, [
      fakeHarness('claude-code', ['2.1.332', 'not asked again']),
      fakeHarness('agent-sdk', [null, '0.3.332']),
    ]);
    expect(harnesses.installed).toEqual([]);
    await harnesses.look();
    expect({
      installed: harnesses.installed,
      version: harnesses.versionOf('claude-code'),
      other: harnesses.versionOf('agent-sdk'),
    }).toEqual({ installed: ['claude-code'], version: '2.1.332', other: null });
    await harnesses.look();
    expect({
      installed: harnesses.installed,
      version: harnesses.versionOf('claude-code'),
      other: harnesses.versionOf('agent-sdk'),
    }).toEqual({ installed: ['claude-code', 'agent-sdk'], version: '2.1.332', other: '0.3.332' });
  });

  it('have no stand-in for one that this release does not know', () => {
    const one = fakeHarness('claude-code', []);
    const harnesses = new Harnesses({} as Sandbox, [one]);
    expect(harnesses.get('claude-code')).toBe(one);
    expect(() => harnesses.get('agent-sdk')).toThrow('no harness agent-sdk');
  });
});
