import type { Environment } from '../environment/environment';
import { safeText } from '../text/safe-text';

/** What a command acts in: the streams and the environment of the process. */
export type Terminal = {
  environment: Environment;
  out: (text: string) => void;
  /** For what is not the answer: progress, warnings. */
  note: (text: string) => void;
  /** Someone sits at it, so that it may draw and ask. */
  isInteractive: boolean;
  colour: boolean;
};

/** A reader that has gone, such as `head`, ends nothing but the output. */
function write(stream: NodeJS.WriteStream, text: string): void {
  // Again here, for all that no command thought of.
  if (stream.writable) stream.write(safeText(text));
}

export function processTerminal(environment: Environment): Terminal {
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  const isInteractive = process.stdout.isTTY === true && process.stdin.isTTY === true;
  return {
    environment,
    out: (text) => write(process.stdout, text),
    note: (text) => write(process.stderr, text),
    isInteractive,
    colour: process.stdout.isTTY === true && !environment.noColour,
  };
}
