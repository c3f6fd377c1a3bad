import { answerOf, parseSlashCommand, type Options, type SlashCommand } from '@chirality/client';
import type { PermissionItem } from '@chirality/domain';
import { useRef, useState } from 'react';
import { sentenceOf } from '../program/failure';
import { choicesOf, type Answer } from './choices';
import type { LiveSession } from './live-session';
import type { End } from './show-session';
import { doCommand } from './slash-acts';

type Props = { live: LiveSession; commands: SlashCommand[]; onEnd: (end: End) => void };

/** What a person does in a session. What is refused is said, and nothing is sent twice. */
export function useActs({ live, commands, onEnd }: Props) {
  /** Which answer is marked, and of which request: a mark never passes to the next request. */
  const [mark, setMark] = useState<{ id: string; at: number } | null>(null);
  const [reasonFor, setReasonFor] = useState<{ id: string; answer: Answer } | null>(null);
  const answering = useRef(new Set<string>());
  /** Of this person’s messages from here on, and of the next one alone. */
  const own = useRef<Options>({});
  const once = useRef<Options>({});

  const fail = (error: unknown) => live.say([{ text: sentenceOf(error), tone: 'error' }]);
  const chosenIn = (item: PermissionItem) => (mark?.id === item.permissionId ? mark.at : null);

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
    reasonFor,
    chosenIn,
    move: (item: PermissionItem, by: 1 | -1) => {
      const count = choicesOf(item).length;
      const from = chosenIn(item);
      setMark({ id: item.permissionId, at: from === null ? (by > 0 ? 0 : count - 1) : (from + by + count) % count });
    },
    choose: (item: PermissionItem) => {
      const choice = choicesOf(item)[chosenIn(item) ?? -1];
      if (choice === undefined) return;
      if (choice.asksReason) setReasonFor({ id: item.permissionId, answer: choice.answer });
      else answer(item.permissionId, choice.answer);
    },
    cancelReason: () => setReasonFor(null),
    interrupt: () => void live.client.interrupt(live.session.id).catch(fail),
    submit: (text: string, onRefused: (text: string) => void) => {
      if (reasonFor !== null) {
        const reason = text.trim();
        answer(reasonFor.id, { ...reasonFor.answer, ...(reason === '' ? {} : { reason }) });
        return setReasonFor(null);
      }
      const parsed = parseSlashCommand(text, commands);
      if (parsed.kind === 'text') return send(text, onRefused);
      if (parsed.kind === 'fault') return live.say([{ text: parsed.detail, tone: 'warning' }]);
      live.say([{ text: '' }, { text: `/${parsed.line}`, tone: 'user' }]);
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
