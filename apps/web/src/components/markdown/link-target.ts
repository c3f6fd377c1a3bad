import { createContext } from 'react';

/**
 * Where a relative link leads: to an anchor of the same document, or to a place that the page can show; `href` is that
 * place's address, for another tab.
 */
export type LinkTarget = { open: () => void; href: string } | { anchor: string };

/**
 * What relative links mean in the Markdown below. Null for a link that leads nowhere: it is shown as text, for as an
 * address it would be one of the dashboard. That is what holds where nothing else is provided.
 */
export const RelativeLinks = createContext<(href: string) => LinkTarget | null>(() => null);

/** Whether an address is one only together with the document that it stands in. */
export function isRelative(href: string): boolean {
  return !/^([a-z][a-z\d+.-]*:|\/\/)/i.test(href);
}
