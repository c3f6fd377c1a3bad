import type { PaidBy } from '@chirality/contracts';

/** Who pays for a turn, in a word and in a sentence. */
export function payerOf(paidBy: PaidBy, author: string | null): { name: string; hint: string } {
  switch (paidBy) {
    case 'user':
      return author === null
        ? { name: 'your key', hint: 'Your own key pays for your turns.' }
        : { name: `${author}’s key`, hint: `${author} sent this turn and pays for it with a key of their own.` };
    case 'team':
      return { name: 'team’s key', hint: 'The team’s key pays for turns of people who have none of their own.' };
    case 'service':
      return { name: 'server’s key', hint: 'The server’s key pays.' };
    case 'demo':
      return {
        name: 'not charged',
        hint: 'The built-in demo model answers, because there is no key. Set one in Settings under Keys.',
      };
  }
}
