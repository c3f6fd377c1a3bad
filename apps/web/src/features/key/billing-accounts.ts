import type { PaidBy } from '@chirality/contracts';

/** The account that a turn is billed to, in a word and in a sentence. */
export function billingAccountOf(paidBy: PaidBy, author: string | null): { name: string; hint: string } {
  switch (paidBy) {
    case 'user':
      return author === null
        ? { name: 'your key', hint: 'Your own key pays for your turns.' }
        : { name: `${author}’s key`, hint: `${author} sent this turn. It is billed to their own key.` };
    case 'team':
      return { name: 'team’s key', hint: 'Turns of people without their own key are billed to the team’s key.' };
    case 'service':
      return { name: 'server’s key', hint: 'The server’s key pays.' };
    case 'demo':
      return {
        name: 'not charged',
        hint: 'The built-in demo model answers, because there is no key. Set one in Settings under Keys.',
      };
  }
}
