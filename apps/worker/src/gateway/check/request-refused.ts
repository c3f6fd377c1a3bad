/** A request that the program itself would not send, or that the project's switches do not allow. */
export class RequestRefused extends Error {
  /** `what`: the part that is not allowed, short enough for a log; `reason`: why, as the end of a sentence. */
  constructor(
    readonly what: string,
    readonly reason: string,
  ) {
    super(`The model gateway does not pass on ${what}: ${reason}.`);
  }
}

const NAME_CHARS = 80;

/** A name out of a request, safe to show: one line of printable ASCII, not longer than a name is. */
export function shownName(name: unknown): string {
  const text = typeof name === 'string' ? name : typeof name;
  const printable = text.replace(/[^\x21-\x7e]+/g, '·');
  return printable.length > NAME_CHARS ? `${printable.slice(0, NAME_CHARS)}…` : printable;
}
