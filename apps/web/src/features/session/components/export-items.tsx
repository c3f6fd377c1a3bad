import type { ExportFormat, Session } from '@chirality/contracts';
import { Download } from 'lucide-react';
import { MenuItem, MenuLabel } from '../../../components/overlay/menu';
import { saveBlob } from '../../../lib/page/save-blob';
import { useNotices } from '../../../lib/notices/notices-service';
import { actFailure } from '../act-notices';
import { useExportSession } from '../session.api';

const FORMAT_NAMES: Readonly<Record<ExportFormat, string>> = {
  markdown: 'Markdown',
  html: 'Web page (HTML)',
  jsonl: 'Events (JSONL)',
};

type Props = { session: Session; title: string };

/** The session as a file, for all who can read it. */
export function ExportItems({ session, title }: Props) {
  const notices = useNotices();
  const download = useExportSession(session.id, {
    onSuccess: ({ file, name }) => saveBlob(file, name),
    onError: (error) => notices.add(actFailure({ id: session.id, title }, 'The session was not exported.', error)),
  });
  return (
    <>
      <MenuLabel>Export as</MenuLabel>
      {(Object.keys(FORMAT_NAMES) as ExportFormat[]).map((format) => (
        <MenuItem
          key={format}
          icon={<Download size={15} />}
          disabled={download.isPending}
          onSelect={() => download.mutate(format)}
        >
          {FORMAT_NAMES[format]}
        </MenuItem>
      ))}
    </>
  );
}
