import type { Belongings } from '@chirality/contracts';

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/**
 * What happens to the sessions of a member who is removed. `heir` takes them over; null for none. `belongings` is
 * undefined where it could not be read.
 */
export function belongingsSentence(belongings: Belongings | undefined, heir: string | null): string {
  if (belongings === undefined)
    return 'What they own could not be checked. Their private sessions will be archived; only they can open them, if you invite them again.';
  const { privateSessions, sharedSessions, hasOwnKey, privateSessionsWithWork } = belongings;
  const key = hasOwnKey ? ' Their own API key is deleted.' : '';
  if (privateSessions + sharedSessions === 0) return `They own no sessions.${key}`;
  if (heir !== null)
    return `${heir} becomes the owner of ${counted(privateSessions, 'private session')} and ${counted(sharedSessions, 'shared session')}, and can read them.${key}`;
  const isOne = privateSessions === 1;
  const unpushed =
    privateSessionsWithWork === 0
      ? ''
      : ` (${isOne ? 'it' : privateSessionsWithWork} may have work that is not pushed)`;
  const archived =
    privateSessions === 0
      ? ''
      : ` ${counted(privateSessions, 'private session')} will be archived${unpushed}. Only they can open ${isOne ? 'it' : 'them'}, if you invite them again.`;
  const stays =
    sharedSessions === 0
      ? ''
      : ` ${counted(sharedSessions, 'shared session')} will stay, managed by the team’s admins.`;
  return `${archived}${stays}${key}`.trim();
}
