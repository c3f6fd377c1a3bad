import { Download } from 'lucide-react';
import { Button } from '../../../components/ui/button';
import { FailureText } from '../../../components/text/failure-text';
import { saveBlob } from '../../../lib/page/save-blob';
import { useUsageCsv, type UsageFilter } from '../usage.api';

export function CsvButton({ filter }: { filter: UsageFilter }) {
  const download = useUsageCsv(filter, (file) => saveBlob(file, `cost-by-${filter.groupBy}.csv`));
  return (
    <>
      {download.isError && (
        <p role="alert" className="text-sm text-bad">
          <FailureText error={download.error} />
        </p>
      )}
      <Button icon={<Download size={15} />} busy={download.isPending} onClick={() => download.mutate()}>
        CSV
      </Button>
    </>
  );
}
