import type { Reply } from '../api/reply';
import type { Conversation } from '../conversation/conversation';

/** A small useful conversation: what the demo does when it is asked for one thing. */
export type Script = {
  name: string;
  /** Whether the person's message asks for this. */
  fits(conversation: Conversation): boolean;
  /** The next answer, derived from the results that are in the conversation. */
  play(conversation: Conversation): Reply;
};
