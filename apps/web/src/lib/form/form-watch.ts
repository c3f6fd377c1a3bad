/**
 * Whether a form holds words that are not saved. What it held when it appeared counts as saved, and so does what was
 * submitted, unless that failed.
 */
export class FormWatch {
  private isTouched = false;
  private submitted: string | null = null;
  private hasFailed = false;

  constructor(private saved: string) {}

  typed(): void {
    if (this.submitted !== null && !this.hasFailed) this.saved = this.submitted;
    this.submitted = null;
    this.isTouched = true;
  }

  submit(contents: string): void {
    this.submitted = contents;
  }

  /** What became of the last submission, as it is known by now. */
  outcome(hasFailed: boolean): void {
    this.hasFailed = hasFailed;
  }

  isUnsaved(contents: string): boolean {
    if (!this.isTouched || (this.submitted !== null && !this.hasFailed)) return false;
    return contents !== this.saved;
  }
}

const WORDLESS = new Set(['password', 'hidden', 'file', 'search']);

type Control = { type: string; value: string; checked?: boolean };

function isControl(element: object): element is Control {
  return 'value' in element && 'type' in element && element.type !== 'submit' && element.type !== 'button';
}

/** What a person has put into a form's fields, in one text. Passwords are not kept, so they are not missed. */
export function contentsOf(controls: Iterable<object>): string {
  const values = [...controls].filter(isControl).filter(({ type }) => !WORDLESS.has(type));
  return JSON.stringify(
    values.map(({ type, value, checked }) => (type === 'checkbox' || type === 'radio' ? [value, checked] : value)),
  );
}
