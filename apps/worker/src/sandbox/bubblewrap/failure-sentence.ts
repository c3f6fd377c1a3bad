/** What EAGAIN of a fork means: not a setting that forbids sandboxes, but too many processes at this moment. */
export const PROCESS_LIMIT_REACHED =
  "The worker's limit of processes is reached, so no sandbox could be started now: end some running turns and try again, or raise the limit (TasksMax of a systemd unit, pids_limit of a container, ulimit -u).";

/** What bubblewrap says on hosts that forbid what it needs, and what an operator can do about it. */
const KNOWN: ReadonlyArray<readonly [RegExp, string]> = [
  [/Resource temporarily unavailable|fork failed|can't fork/i, PROCESS_LIMIT_REACHED],
  [
    /setting up uid map|No permissions to creat\w* new namespace|creating new namespace failed|unshare.*(not permitted|denied)/i,
    'This system does not let ordinary users make user namespaces: allow them (sysctl kernel.unprivileged_userns_clone, user.max_user_namespaces, or an AppArmor profile for bwrap).',
  ],
  [
    /mount proc|Can't mount proc/i,
    'This container masks parts of /proc, so no fresh /proc can be mounted inside: run it with systempaths=unconfined.',
  ],
  [
    /pivot_root|Failed to make .* slave|mount.*(not permitted|denied)/i,
    "This container's system call filter forbids mounting: use the filter that comes with the service.",
  ],
  [
    /No space left on device|max_user_namespaces/i,
    'The limit of user namespaces of this system is reached (sysctl user.max_user_namespaces).',
  ],
];

/** One sentence for people out of the last line that bubblewrap or the programs before it wrote. */
export function failureSentence(line: string): string {
  const advice = KNOWN.find(([pattern]) => pattern.test(line))?.[1];
  return advice ? `${advice} (${line})` : line;
}
