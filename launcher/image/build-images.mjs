import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CHECKOUT, version } from '../host/checkout.mjs';
import { run, tail } from '../host/run.mjs';
import { Sentence } from '../text/sentence.mjs';
import { podman } from './podman.mjs';

/** What this machine needs to reach its registries, for the steps that install. */
const HOST_CONFIGURATION = [
  '/etc/npmrc',
  '/etc/ssl/certs',
  '/usr/share/ca-certificates',
  '/usr/local/share/ca-certificates',
  '/etc/apt/apt.conf.d',
];

/**
 * Builds both images by the Dockerfile, on a base made here: Debian's smallest with this machine's Node.
 * @param {string} scratch
 */
export async function buildImages(scratch) {
  const base = /^FROM (\S+) AS build$/m.exec(readFileSync(join(CHECKOUT, 'Dockerfile'), 'utf8'))?.[1];
  if (base === undefined) throw new Sentence('The Dockerfile has no line "FROM … AS build".');
  await makeBase(join(scratch, 'base'), `docker.io/library/${base}`);
  const mounts = HOST_CONFIGURATION.filter(existsSync).flatMap((path) => ['-v', `${path}:${path}:ro`]);
  const certificates = process.env.NODE_EXTRA_CA_CERTS
    ? ['--env', `NODE_EXTRA_CA_CERTS=${process.env.NODE_EXTRA_CA_CERTS}`]
    : [];
  for (const target of ['api', 'worker']) {
    await podman(
      'build',
      '--format',
      'docker',
      '--network',
      'host',
      '--target',
      target,
      '-t',
      imageName(target),
      ...mounts,
      ...certificates,
      '.',
    );
  }
}

/** @param {string} target */
export function imageName(target) {
  return `localhost/chirality-${target}:${version()}`;
}

/**
 * @param {string} root
 * @param {string} name
 */
async function makeBase(root, name) {
  const { code, output } = await run(
    'debootstrap',
    ['--variant=minbase', '--include=ca-certificates', 'bookworm', root],
    { timeoutMs: 900_000 },
  );
  if (code !== 0) throw new Sentence(`debootstrap failed:\n${tail(output)}`);
  cpSync(process.execPath, join(root, 'usr/bin/node'));
  const npm = realpathSync(
    process.env.npm_execpath ?? join(dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js'),
  );
  mkdirSync(join(root, 'usr/lib/node_modules'), { recursive: true });
  cpSync(join(dirname(npm), '..'), join(root, 'usr/lib/node_modules/npm'), { recursive: true, verbatimSymlinks: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/bin/npm'));
  const imported = await run('/bin/sh', ['-c', 'tar -C "$1" -c . | podman import - "$2"', 'import', root, name]);
  if (imported.code !== 0) throw new Sentence(`podman import failed:\n${tail(imported.output)}`);
}
