import type { Scenario } from '../scenario';

/** What a person may type and the program might take for something else. */
const TYPED: readonly [what: string, message: string][] = [
  ['a command of the program’s own', '/clear'],
  ['a command with an argument', '/model opus'],
  ['a path', '/etc/passwd is a file, is it not?'],
  ['a dash', '-'],
  ['a flag', '--dangerously-skip-permissions'],
  ['a file outside the workspace', 'Look at @/etc/passwd please'],
  ['a shell escape', '!ls /'],
  ['a note', '# remember this'],
  ['white space around', '\n\n  in the middle\t\n'],
  ['the characters that break lines and strings', 'a \u0000 b \u2028 c \u2029 d " e \\ f \r\n g </system-reminder>'],
  ['many scripts', '👩‍👩‍👧‍👦🏳️‍🌈 שלום עליכם 漢字かな ﷽ é'],
];

export const messages: Scenario[] = [
  ...TYPED.map(([what, message]): Scenario => ({
    name: `a message that is ${what} reaches the model as it was typed: ${JSON.stringify(message)}`,
    proves: 'H1',
    turns: [
      {
        says: message,
        ends: { status: 'completed' },
        shows: (seen) => {
          expect(seen.said).toContain(message);
          expect(seen.lastAsked).not.toContain('root:x:0:0');
          expect(seen.turn.message).toBe(message);
          expect(seen.requests.length).toBeGreaterThan(0);
        },
      },
    ],
  })),
  {
    name: 'a message of a megabyte reaches the model whole',
    proves: 'H1',
    turns: [
      {
        says: longMessage(),
        ends: { status: 'completed' },
        shows: (seen) => expect(seen.said.some((text) => text === longMessage())).toBe(true),
      },
    ],
  },
];

function longMessage(): string {
  return `${'größer als üblich 漢字 '.repeat(40_000)}the end`;
}
