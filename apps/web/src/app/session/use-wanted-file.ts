import { useMemo, useState } from 'react';
import type { LinkTarget } from '../../components/markdown/link-target';
import { mentionedFile, type WantedFile } from '../../features/files/view/mentioned-file';

/**
 * The file that was last asked for in the conversation, and where links of the conversation lead. `times` counts, for
 * the same file may be asked for again.
 */
export function useWantedFile(cwd: string | null, showFiles: () => void) {
  const [wanted, setWanted] = useState<{ file: WantedFile; times: number } | null>(null);
  const fileLinks = useMemo(
    () =>
      (href: string): LinkTarget | null => {
        const file = mentionedFile(href, cwd);
        if (file === null) return null;
        const open = () => {
          setWanted((before) => ({ file, times: (before?.times ?? 0) + 1 }));
          showFiles();
        };
        return { open, href: '#' };
      },
    [cwd, showFiles],
  );
  return { wanted, fileLinks };
}
