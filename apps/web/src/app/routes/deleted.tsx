import { Page } from '../../components/ui/page';
import { useTeam } from '../../features/access/hooks/use-team';
import { DeletionList } from '../../features/deletion/components/deletion-list';
import { useTitle } from '../../lib/page/use-title';

export default function DeletedPage() {
  useTitle('Recently deleted');
  const team = useTeam();
  return (
    <Page
      title="Recently deleted"
      description="Sessions and projects that can still be restored, for 30 days after they were deleted."
    >
      <DeletionList key={team?.id} teamId={team?.id} />
    </Page>
  );
}
