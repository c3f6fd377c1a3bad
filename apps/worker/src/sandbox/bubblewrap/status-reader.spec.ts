import { PassThrough } from 'node:stream';
import { followStatus, type SandboxStatus } from './status-reader';

it('reads pid, namespace and exit code however the lines are cut, and skips what is no document', async () => {
  const stream = new PassThrough();
  let last: SandboxStatus | null = null;
  followStatus(stream, (status) => (last = { ...status }));
  for (const piece of ['{ "child-pid": 4', '2, "pid-namespace": 4026532181 }\nnon', 'sense\n{ "exit-', 'code": 7 }\n'])
    stream.write(piece);
  stream.end();
  await new Promise((resolve) => stream.once('end', resolve));
  expect(last).toEqual({ initPid: 42, pidNamespace: 4026532181, exitCode: 7 });
});
