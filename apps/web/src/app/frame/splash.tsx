import { Logo } from '../../components/ui/logo';
import { Spinner } from '../../components/ui/spinner';

/** What is seen until it is known who is signed in: usually for less than a blink. */
export function Splash({ isUnreachable }: { isUnreachable: boolean }) {
  return (
    <main className="flex h-full flex-col items-center justify-center gap-4 text-muted" aria-busy="true">
      <Logo size={40} />
      {isUnreachable && (
        <div className="grid justify-items-center gap-1 text-center">
          <Spinner label="The server cannot be reached" />
          <p className="text-sm">This page continues as soon as it can.</p>
        </div>
      )}
      <h1 className="sr-only">Chirality</h1>
    </main>
  );
}
