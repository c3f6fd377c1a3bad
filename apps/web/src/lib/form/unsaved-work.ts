import { Observable } from '../state/observable';

/** Unsaved input on the page. A part of the page, such as a dialog, can have a separate instance. */
export class UnsavedWork {
  /** Set while a person is asked whether to leave; called with what they chose. */
  readonly asking = new Observable<((leave: boolean) => void) | null>(null);
  private readonly parts = new Set<() => boolean>();

  /** Calls `isUnsaved` before the page is left. Returns a function that stops watching. */
  watch(isUnsaved: () => boolean): () => void {
    this.parts.add(isUnsaved);
    return () => this.parts.delete(isUnsaved);
  }

  get exists(): boolean {
    return [...this.parts].some((isUnsaved) => isUnsaved());
  }

  /** True when the page, or with `part` that part of it, may be left: nothing is unsaved, or the person gives it up. */
  async mayLeave(part: UnsavedWork = this): Promise<boolean> {
    if (!part.exists) return true;
    this.asking.get()?.(false);
    return new Promise((resolve) => {
      this.asking.set((leave) => {
        this.asking.set(null);
        // What was given up is not asked about again on the same way out.
        if (leave) part.parts.clear();
        resolve(leave);
      });
    });
  }
}

/** Everything on the page. */
export const unsavedWork = new UnsavedWork();
