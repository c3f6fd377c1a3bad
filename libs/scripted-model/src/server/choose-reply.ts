import type { Pace, Reply } from '../api/reply';
import type { ApiRequest } from '../api/request';
import { readConversation } from '../conversation/conversation';
import { playScript } from '../demo/choose-script';
import { answerWithoutTools } from '../demo/without-tools';
import type { DirectiveQueue } from '../directive/directive-queue';

type ChosenReply = { reply: Reply; label: string; pace: Pace };

/** Directives come without delay unless they ask for one. */
const DIRECTIVE_PACE: Pace = { unit: 'character', size: 12, delayMs: 0 };

/** Directives, where they are honoured, go before scripts. */
export function chooseReply(request: ApiRequest, directives: DirectiveQueue | null, demoPace: Pace): ChosenReply {
  const conversation = readConversation(request);
  const directed = directives?.replyTo(conversation) ?? null;
  if (directed) return { ...directed, pace: DIRECTIVE_PACE };
  if (conversation.tools.size === 0) return { ...answerWithoutTools(conversation), pace: demoPace };
  return { ...playScript(conversation), pace: demoPace };
}
