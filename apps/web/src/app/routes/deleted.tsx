import { useEffect } from 'react';
import { Page } from '../../components/ui/page';
import { useTeam } from '../../features/access/hooks/use-team';
import { DeletionList } from '../../features/deletion/components/deletion-list';
import { useNotices } from '../../lib/notices/notices-service';
import { useTitle } from '../../lib/page/use-title';

export default function DeletedPage() {
  useTitle('Recently deleted');
  const team = useTeam();
  const notices = useNotices();
  // It says where this page is, and would lie over its buttons.
  useEffect(() => notices.dismiss('deleted'), [notices]);
  return (
    <Page
      title="Recently deleted"
      description="Sessions and projects that can still be restored, for 30 days after they were deleted."
    >
      <DeletionList key={team?.id} teamId={team?.id} />
    </Page>
  );
}
