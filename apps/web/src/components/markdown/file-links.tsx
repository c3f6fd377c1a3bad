import { createContext, type ReactNode } from 'react';
import { RelativeLinks, type LinkTarget } from './link-target';

/** Whether paths of files that a text mentions become links, as an answer's do. */
export const MentionsFiles = createContext(false);

/** Relative links below lead to files, and so do the paths that a text mentions. */
export function FileLinks({ value, children }: { value: (href: string) => LinkTarget | null; children: ReactNode }) {
  return (
    <MentionsFiles value={true}>
      <RelativeLinks value={value}>{children}</RelativeLinks>
    </MentionsFiles>
  );
}
