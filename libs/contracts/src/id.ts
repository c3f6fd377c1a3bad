import { z } from 'zod';

/** Every id is a noun's prefix, an underscore and a ULID (26 characters of Crockford base 32, upper case). */
export const ID_PREFIXES = {
  team: 'team',
  user: 'user',
  project: 'proj',
  session: 'sess',
  sharedWorkspace: 'wsp',
  turn: 'turn',
  push: 'push',
  permission: 'perm',
  rule: 'rule',
  persona: 'persona',
  budget: 'budget',
  key: 'key',
  gitAccount: 'gitacc',
  gitHostKey: 'hostkey',
  gitWebhook: 'githook',
  token: 'tok',
  deviceCode: 'dcode',
  schedule: 'sched',
  scheduleRun: 'run',
  client: 'cli',
  worker: 'worker',
  invitation: 'inv',
  usage: 'usage',
  price: 'price',
  audit: 'audit',
  request: 'req',
  process: 'proc',
  attachment: 'att',
  pullRequest: 'pull',
  comment: 'cmt',
  queueItem: 'item',
} as const;

export type IdNoun = keyof typeof ID_PREFIXES;

const ULID = '[0-7][0-9A-HJKMNP-TV-Z]{25}';

const idPatterns = Object.fromEntries(
  Object.entries(ID_PREFIXES).map(([noun, prefix]) => [noun, new RegExp(`^${prefix}_${ULID}$`)]),
) as Record<IdNoun, RegExp>;

/** True when `value` has the exact form of an id of that noun; says nothing about its existence. */
export function isId(noun: IdNoun, value: string): boolean {
  return idPatterns[noun].test(value);
}

/** A zod schema for the ids of one noun. */
export function idSchema(noun: IdNoun) {
  return z.string().regex(idPatterns[noun], `must be an id like ${ID_PREFIXES[noun]}_01J…`);
}
