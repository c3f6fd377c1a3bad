import type { PresencePerson } from '@chirality/contracts';
import { Avatar } from '../../../components/ui/avatar';
import { useObservable } from '../../../lib/state/use-observable';
import type { TranscriptStore } from '../../../lib/transcript/transcript-store';

const SHOWN = 4;

/** One entry per person, however many windows they have open. */
function distinct(people: readonly PresencePerson[]): PresencePerson[] {
  const byId = new Map<string, PresencePerson>();
  for (const person of people)
    byId.set(person.userId, { ...person, typing: person.typing || byId.get(person.userId)?.typing === true });
  return [...byId.values()];
}

/** The others who look at this session now. */
export function Presence({ store, myId }: { store: TranscriptStore; myId: string }) {
  const others = distinct(useObservable(store.people)).filter((person) => person.userId !== myId);
  if (others.length === 0) return null;
  const names = others.map((person) => person.name).join(', ');
  return (
    <div
      role="img"
      aria-label={`Also here: ${names}`}
      title={`Also here: ${names}`}
      className="flex items-center -space-x-1.5"
    >
      {others.slice(0, SHOWN).map((person) => (
        <Avatar key={person.userId} id={person.userId} name={person.name} size={24} ring />
      ))}
      {others.length > SHOWN && <span className="ps-2.5 text-xs text-muted">+{others.length - SHOWN}</span>}
    </div>
  );
}

export function TypingLine({ store, myId }: { store: TranscriptStore; myId: string }) {
  const typing = distinct(useObservable(store.people)).filter((person) => person.typing && person.userId !== myId);
  return (
    <p aria-live="polite" className="h-5 truncate px-1 text-xs text-faint">
      {typing.length === 1 && `${typing[0]!.name} is typing…`}
      {typing.length > 1 && `${typing.length} people are typing…`}
    </p>
  );
}
