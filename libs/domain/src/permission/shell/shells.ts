/** Programs that run a text in the language of these rules. */
export const SHELLS = ['sh', 'bash', 'zsh', 'dash', 'ksh'] as const;
