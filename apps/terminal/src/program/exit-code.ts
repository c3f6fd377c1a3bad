/** What a script can rely on. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  notSignedIn: 3,
  refused: 4,
  unreachable: 5,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
