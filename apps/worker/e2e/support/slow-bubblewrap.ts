import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A `bwrap` to be found first, which before it becomes the real one waits, for a turn’s sandbox, while it is held. */
export function slowBubblewrap(directory: string) {
  const [gate, held] = [join(directory, 'gate'), join(directory, 'held')];
  writeFileSync(
    join(directory, 'bwrap'),
    `#!/bin/sh\ncase "$*" in */run/model.sock*/sessions/*) if [ -e ${gate} ]; then echo $$ > ${held}.new; mv ${held}.new ${held}; read -r go < ${gate}; fi ;; esac\nPATH=\${PATH#*:}\nexec bwrap "$@"\n`,
    { mode: 0o755 },
  );
  return {
    directory,
    hold: () => void execFileSync('mkfifo', [gate]),
    /** The pid of the one that waits, or waited; null when none did yet. */
    heldPid: () => (existsSync(held) ? Number(readFileSync(held, 'utf8')) : null),
    /** Lets the one that waits continue. */
    release: () => {
      writeFileSync(gate, 'go\n');
      rmSync(gate);
    },
  };
}
