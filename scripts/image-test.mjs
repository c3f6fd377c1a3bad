// node scripts/image-test.mjs: builds the images of the Dockerfile and runs a turn in them, with podman, as the compose
// file runs them. Needs root and Debian; fetches podman, runc, catatonit and debootstrap with apt-get. Takes some
// minutes; not part of npm test.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { installPackages } from '../launcher/host/apt.mjs';
import { build } from '../launcher/prepare/build.mjs';
import { installDependencies } from '../launcher/prepare/install.mjs';
import { step } from '../launcher/text/progress.mjs';
import { explain, Sentence } from '../launcher/text/sentence.mjs';
import { buildImages } from '../launcher/image/build-images.mjs';
import { ContainerStack } from '../launcher/image/container-stack.mjs';
import { runFirstTurn } from '../launcher/image/first-turn.mjs';

if (process.getuid?.() !== 0) throw new Sentence('Making images takes root.');

const scratch = mkdtempSync(join(tmpdir(), 'chi-img-'));
const stack = new ContainerStack(scratch);
try {
  await step('Dependencies installed', installDependencies);
  await step('Programs built', build);
  await step('podman and debootstrap installed', async () => {
    const failure = await installPackages(['podman', 'runc', 'catatonit', 'debootstrap']);
    if (failure) throw new Sentence(`They could not be installed:\n${failure}`);
  });
  await step('Images built', () => buildImages(scratch));
  await step('Containers started', () => stack.start());
  await step('A turn ran in the sandbox of the worker’s container', () => runFirstTurn(stack));
  await step('Containers stopped in order', () => stack.stop());
} catch (error) {
  process.stderr.write(`\n${explain(error)}\n${stack.describe()}\n`);
  process.exitCode = 1;
} finally {
  await stack.remove();
  await sleep(0);
  rmSync(scratch, { recursive: true, force: true });
}
process.stdout.write(process.exitCode ? '0 passed, 1 failed\n' : '1 passed, 0 failed\n');
process.exit();
