/** The server said no, with its stable code. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    /** The whole problem as it came, for comparing two of them. */
    readonly problem: Readonly<Record<string, unknown>>,
  ) {
    super(`${code}: ${typeof problem['detail'] === 'string' ? problem['detail'] : JSON.stringify(problem)}`);
  }

  static of(problem: unknown): Refusal {
    const fields = typeof problem === 'object' && problem !== null ? (problem as Record<string, unknown>) : {};
    return new Refusal(typeof fields['code'] === 'string' ? fields['code'] : 'NO_CODE', fields);
  }
}
