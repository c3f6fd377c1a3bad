/** What is compared: files that are not committed, or what one commit changed. */
export type Comparison = { commit: string } | { scope: 'uncommitted' };
