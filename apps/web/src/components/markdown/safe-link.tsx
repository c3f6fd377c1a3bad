import { useContext, type MouseEvent, type ReactNode } from 'react';
import { goToAnchor } from './go-to-anchor';
import { isRelative, RelativeLinks } from './link-target';

type PageLinkProps = {
  href: string;
  title?: string;
  follow: (from: HTMLElement) => void;
  children: ReactNode;
};

/** A link that the page follows itself. Asked for another tab or window, the browser follows it. */
function PageLink({ href, title, follow, children }: PageLinkProps) {
  const onClick = (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    follow(event.currentTarget);
  };
  return (
    <a href={href} title={title} onClick={onClick}>
      {children}
    </a>
  );
}

/** The page's address stays as it is: what a document calls its parts does not belong in it. */
function Anchor({ anchor, children }: { anchor: string; children: ReactNode }) {
  return (
    <PageLink href={`#${anchor}`} follow={(from) => goToAnchor(from.closest<HTMLElement>('.prose'), anchor)}>
      {children}
    </PageLink>
  );
}

/** A link of a text that the product did not write. */
export function SafeLink({ href, children }: { href?: string | undefined; children?: ReactNode }) {
  const targetOf = useContext(RelativeLinks);
  if (href === undefined || href === '') return <span>{children}</span>;
  if (href.startsWith('#')) return <Anchor anchor={href.slice(1)}>{children}</Anchor>;
  if (!isRelative(href)) {
    return (
      <a href={href} title={href} target="_blank" rel="noopener noreferrer nofollow" referrerPolicy="no-referrer">
        {children}
      </a>
    );
  }
  const target = targetOf(href);
  if (target === null) return <span title={href}>{children}</span>;
  if ('anchor' in target) return <Anchor anchor={target.anchor}>{children}</Anchor>;
  return (
    <PageLink href={target.href} title={href} follow={target.open}>
      {children}
    </PageLink>
  );
}
