import { answerOf, parseSlashCommand, type Options, type SlashCommand } from '@chirality/client';
import type { PermissionItem } from '@chirality/domain';
import { useRef } from 'react';
import { sentenceOf } from '../program/failure';
import { oneLine, safe, visible } from '../text/safe-text';
import { choicesOf, isOffered, type Answer } from './choices';
import type { LiveSession } from './live-session';
import type { End } from './show-session';
import { doCommand } from './slash-acts';
import { useLatest } from './use-latest';

type Props = { live: LiveSession; commands: SlashCommand[]; onEnd: (end: End) => void };

/** What a person does in a session. What is refused is said, and nothing is sent twice. */
export function useActs({ live, commands, onEnd }: Props) {
  /** Which answer is marked, and of which request: a mark never passes to the next request. */
  const mark = useLatest<{ id: string; at: number } | null>(null);
  const reason = useLatest<{ id: string; answer: Answer } | null>(null);
  const answering = useRef(new Set<string>());
  /** Of this person’s messages from here on, and of the next one alone. */
  const own = useRef<Options>({});
  const once = useRef<Options>({});

  const fail = (error: unknown) => live.say([{ text: sentenceOf(error), tone: 'error' }]);
  const chosenIn = (item: PermissionItem) => {
    const marked = mark.read();
    return marked?.id === item.permissionId ? marked.at : null;
  };

  const answer = (permissionId: string, body: Answer) => {
    if (answering.current.has(permissionId)) return;
    answering.current.add(permissionId);
    const path = { sessionId: live.session.id, permissionId };
    answerOf(live.client.api.POST('/v1/sessions/{sessionId}/permissions/{permissionId}', { params: { path }, body }))
      .catch(fail)
      .finally(() => answering.current.delete(permissionId));
  };
  const send = (message: string, onRefused: (message: string) => void) => {
    const options = { ...own.current, ...once.current };
    live.client
      .send(live.session.id, message, { options })
      .then(() => (once.current = {}))
      .catch((error: unknown) => {
        fail(error);
        onRefused(message);
      });
  };

  return {
    isGivingReason: () => reason.read() !== null,
    chosenIn,
    move: (item: PermissionItem, isRead: boolean, by: 1 | -1) => {
      // The number of an answer never changes, so that a mark stays where it is when more are offered.
      const offered = [...choicesOf(item).entries()].flatMap(([at, choice]) => (isOffered(choice, isRead) ? [at] : []));
      const from = offered.indexOf(chosenIn(item) ?? -1);
      const to = from < 0 ? (by > 0 ? 0 : offered.length - 1) : (from + by + offered.length) % offered.length;
      const at = offered[to];
      if (at !== undefined) mark.write({ id: item.permissionId, at });
    },
    choose: (item: PermissionItem, isRead: boolean) => {
      const choice = choicesOf(item)[chosenIn(item) ?? -1];
      if (choice === undefined || !isOffered(choice, isRead)) return;
      if (choice.asksReason) reason.write({ id: item.permissionId, answer: choice.answer });
      else answer(item.permissionId, choice.answer);
    },
    cancelReason: () => reason.write(null),
    interrupt: () => void live.client.interrupt(live.session.id).catch(fail),
    submit: (text: string, onRefused: (text: string) => void) => {
      const refusal = reason.read();
      if (refusal !== null) {
        const words = text.trim();
        answer(refusal.id, { ...refusal.answer, ...(words === '' ? {} : { reason: words }) });
        return reason.write(null);
      }
      const parsed = parseSlashCommand(text, commands);
      if (parsed.kind === 'text') return send(text, onRefused);
      if (parsed.kind === 'fault') return live.say([{ text: oneLine(parsed.detail), tone: 'warning' }]);
      live.say([{ text: safe`` }, { text: safe`/${visible(parsed.line)}`, tone: 'user' }]);
      const place = {
        live,
        commands,
        onEnd,
        setOnce: (options: Options) => (once.current = options),
        setOwn: (options: Options) => (own.current = { ...own.current, ...options }),
      };
      doCommand(parsed.line, parsed.args, place).then((lines) => live.say(lines), fail);
    },
  };
}
