import type { ServerResponse } from 'node:http';

type Silent = { name: string; response: ServerResponse };
type Waiting = { name: string; cut: (response: ServerResponse) => void };

/** The answers that fell silent by `[[cut on=name]]`, until a test cuts them. */
export class SilentAnswers {
  private readonly silent: Silent[] = [];
  private readonly waiting: Waiting[] = [];

  /** An answer fell silent: it is cut at once where a test waits for it. */
  add(name: string, response: ServerResponse): void {
    const waiting = takeFirst(this.waiting, name);
    if (waiting) waiting.cut(response);
    else this.silent.push({ name, response });
  }

  /**
   * Cuts the oldest answer that is silent under this name, or the next one that falls silent: what a client shows of
   * an answer may be seen before its last delta is written. Resolves when the connection is cut.
   */
  async cut(name: string): Promise<void> {
    const found = takeFirst(this.silent, name);
    const response =
      found?.response ?? (await new Promise<ServerResponse>((cut) => void this.waiting.push({ name, cut })));
    response.destroy();
  }

  /** Forgets the answers, and who waits for one. */
  clear(): void {
    this.silent.length = 0;
    this.waiting.length = 0;
  }
}

function takeFirst<T extends { name: string }>(list: T[], name: string): T | undefined {
  const at = list.findIndex((entry) => entry.name === name);
  return at < 0 ? undefined : list.splice(at, 1)[0];
}
