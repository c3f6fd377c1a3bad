import { Download } from 'lucide-react';
import { Button } from '../../../components/ui/button';
import { Menu, MenuItem } from '../../../components/overlay/menu';
import { FailureText } from '../../../components/text/failure-text';
import { saveBlob } from '../../../lib/page/save-blob';
import { useExportAudit, type TeamAuditFilter } from '../audit.api';

/** The entries that the filters show, all of them, as a file. */
export function AuditExport({ filter }: { filter: TeamAuditFilter }) {
  const download = useExportAudit(filter, (file, format) => saveBlob(file, `audit.${format}`));
  return (
    <>
      {download.isError && (
        <p role="alert" className="text-sm text-bad">
          <FailureText error={download.error} />
        </p>
      )}
      <Menu
        trigger={
          <Button icon={<Download size={15} />} busy={download.isPending}>
            Export
          </Button>
        }
      >
        <MenuItem onSelect={() => download.mutate('csv')}>CSV</MenuItem>
        <MenuItem onSelect={() => download.mutate('json')}>JSON</MenuItem>
      </Menu>
    </>
  );
}
