import { Observable } from '../state/observable';
import { useObservable } from '../state/use-observable';

const isOpen = new Observable(false);

/** The list of projects and sessions, where it is a drawer. */
const drawer = { open: () => isOpen.set(true), close: () => isOpen.set(false) };

export function useDrawer(): { isOpen: boolean; open: () => void; close: () => void } {
  return { isOpen: useObservable(isOpen), ...drawer };
}
