import { Callout } from '../../../components/ui/callout';
import { CopyButton } from '../../../components/ui/copy-button';
import { isLoopbackLink } from '../loopback-link';

type Props = { title: string; link: string; children: string; testId?: string };

/** A link that is shown this once, to copy; with a warning where it works on no other machine. */
export function OneTimeLink({ title, link, children, testId }: Props) {
  const absolute = new URL(link, window.location.origin).href;
  return (
    <div className="stack gap-4 pb-2">
      <Callout tone="good" role="status" title={title}>
        {children}
      </Callout>
      {isLoopbackLink(absolute) && (
        <Callout tone="warn" role="status" title="This link only works on this machine">
          Set CHIRALITY_PUBLIC_URL to the address at which others reach this server, restart it, and create a new link.
        </Callout>
      )}
      <div className="flex items-center gap-2 rounded-md border border-line-strong bg-sunken py-1 ps-3 pe-1">
        <code className="min-w-0 flex-1 overflow-x-auto font-mono text-sm whitespace-nowrap" data-testid={testId}>
          {absolute}
        </code>
        <CopyButton text={absolute} label="Copy the link" caption="Copy" />
      </div>
    </div>
  );
}
