import type { TodoEntry } from '@chirality/domain';
import { ListChecks } from 'lucide-react';
import { EmptyState } from '../../../components/ui/empty-state';
import { TodoList } from '../rows/todo-rows';

export function TasksTab({ items }: { items: readonly TodoEntry[] }) {
  if (items.length === 0) {
    return (
      <EmptyState icon={<ListChecks size={20} />} title="No tasks">
        When Claude plans its work in steps, they are ticked off here.
      </EmptyState>
    );
  }
  return (
    <div className="p-4">
      <TodoList items={items} />
    </div>
  );
}
