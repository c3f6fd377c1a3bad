import { headingAt } from './anchor';

/** An anchor as it stands in an address; one that cannot be decoded is taken as it is. */
function decoded(anchor: string): string {
  try {
    return decodeURIComponent(anchor);
  } catch {
    return anchor;
  }
}

/** Scrolls to what an anchor names in a document. Headings have no ids: those of a document could be anything. */
export function goToAnchor(root: HTMLElement | null, anchor: string): void {
  const name = decoded(anchor);
  const headings = [...(root?.querySelectorAll<HTMLElement>('h1, h2, h3, h4, h5, h6') ?? [])];
  const heading =
    headings[
      headingAt(
        headings.map(({ textContent }) => textContent),
        name.toLowerCase(),
      )
    ];
  const target =
    heading ?? (name === '' || name === 'top' ? root : root?.querySelector<HTMLElement>(`[id="${CSS.escape(name)}"]`));
  if (!target) return;
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
  target.scrollIntoView({ block: 'start' });
}
