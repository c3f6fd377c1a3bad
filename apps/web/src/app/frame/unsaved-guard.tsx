import { useBlocker } from '@tanstack/react-router';
import { Button } from '../../components/ui/button';
import { Dialog } from '../../components/overlay/dialog';
import { unsavedWork } from '../../lib/form/unsaved-work';
import { useObservable } from '../../lib/state/use-observable';
import { auth } from '../services/services';

/** Asks before a page with unsaved words is left, by a link, the browser's buttons, a reload or a closed tab. */
export function UnsavedGuard() {
  const answer = useObservable(unsavedWork.asking);
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      // Signing out is not asked about twice, and the session that ended saves nothing.
      const isSignedOut = current.routeId.startsWith('/signed-in') && auth.state.get().user === null;
      return current.pathname !== next.pathname && !isSignedOut && !(await unsavedWork.mayLeave());
    },
    enableBeforeUnload: () => unsavedWork.exists,
  });
  return (
    <Dialog
      open={answer !== null}
      onOpenChange={(open) => !open && answer?.(false)}
      title="Leave without saving?"
      footer={
        <>
          <Button variant="danger" onClick={() => answer?.(true)}>
            Discard changes
          </Button>
          <Button variant="primary" autoFocus onClick={() => answer?.(false)}>
            Keep editing
          </Button>
        </>
      }
    >
      <p className="text-muted">Your changes here are not saved yet.</p>
    </Dialog>
  );
}
