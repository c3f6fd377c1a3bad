import { homedir } from 'node:os';
import { join } from 'node:path';

/** What the program takes from its environment; nothing else reads it. */
export type Environment = {
  token: string | undefined;
  url: string | undefined;
  /** Where this user's settings of this program are. */
  configDirectory: string;
  noColour: boolean;
};

export function readEnvironment(env: NodeJS.ProcessEnv = process.env): Environment {
  const set = (name: string) => env[name]?.trim() || undefined;
  return {
    token: set('CHIRALITY_TOKEN'),
    url: set('CHIRALITY_URL'),
    configDirectory: join(set('XDG_CONFIG_HOME') ?? join(homedir(), '.config'), 'chirality'),
    noColour: set('NO_COLOR') !== undefined || env['TERM'] === 'dumb',
  };
}
