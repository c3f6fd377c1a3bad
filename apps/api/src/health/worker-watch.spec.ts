import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Logger } from '@chirality/platform';
import { WorkerWatch } from './worker-watch';

const log = { warn: () => undefined, debug: () => undefined } as unknown as Logger;

describe('the watch over the workers of this machine', () => {
  function setUp(live: { id: string; pid: number }[], startedAgain: string[] = []) {
    const givenUp: string[] = [];
    const onGivenUp = jest.fn();
    const workers = {
      listLiveOn: async () => live,
      giveUp: async (id: string) => {
        if (startedAgain.includes(id)) return false;
        givenUp.push(id);
        return true;
      },
    };
    return { watch: new WorkerWatch({ workers, machine: 'here', log, onGivenUp }), givenUp, onGivenUp };
  }

  it('gives up the one whose process was killed, and no other', async () => {
    const killed = spawn('sleep', ['600']);
    await once(killed, 'spawn');
    const live = [
      { id: 'killed', pid: killed.pid ?? 0 },
      { id: 'alive', pid: process.pid },
    ];
    const { watch, givenUp, onGivenUp } = setUp(live);
    await watch.look();
    expect([givenUp, onGivenUp.mock.calls.length]).toEqual([[], 0]);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    await watch.look();
    expect([givenUp, onGivenUp.mock.calls.length]).toEqual([['killed'], 1]);
  });

  it('settles nothing for one that has started again meanwhile', async () => {
    const { watch, onGivenUp } = setUp([{ id: 'back', pid: 2 ** 30 }], ['back']);
    await watch.look();
    expect(onGivenUp).not.toHaveBeenCalled();
  });
});
