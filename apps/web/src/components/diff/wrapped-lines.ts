import { Observable } from '../../lib/state/observable';
import { localStore, type KeyValueStore } from '../../lib/state/storage';

const KEY = 'wrapped-lines';

/** Whether long lines of diffs are wrapped or scrolled to: a choice of this browser. */
export class WrappedLines {
  readonly isOn: Observable<boolean>;

  constructor(private readonly store: Pick<KeyValueStore, 'get' | 'set'>) {
    this.isOn = new Observable(store.get(KEY) === 'on');
  }

  choose(isOn: boolean): void {
    this.isOn.set(isOn);
    this.store.set(KEY, isOn ? 'on' : 'off');
  }
}

export const wrappedLines = new WrappedLines(localStore);
