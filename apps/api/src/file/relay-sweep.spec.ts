import { RELAYS } from '@chirality/platform';
import { RelaySweep } from './relay-sweep';

it('sweeps relays, and blobs that were cut off', async () => {
  const swept: unknown[] = [];
  const blobs = {
    sweep: async (prefix: string) => void swept.push(prefix),
    sweepIncoming: async (idleMs: number) => void swept.push(idleMs),
  };
  type Parts = ConstructorParameters<typeof RelaySweep>;
  await new RelaySweep(blobs as unknown as Parts[0], {} as Parts[1]).sweep();
  expect(swept).toEqual([RELAYS, 3_600_000]);
});
