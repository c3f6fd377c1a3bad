import { Observable } from '../../lib/state/observable';
import { useObservable } from '../../lib/state/use-observable';

/** What can be opened from every page: from the sidebar, a menu or the palette. */
type AppDialog = { name: 'new-project' | 'shortcuts' } | { name: 'new-session'; projectId: string };

const opened = new Observable<AppDialog | null>(null);

export function openAppDialog(dialog: AppDialog): void {
  opened.set(dialog);
}

export function closeAppDialog(): void {
  opened.set(null);
}

export function useAppDialog(): AppDialog | null {
  return useObservable(opened);
}
