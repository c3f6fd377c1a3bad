import { z } from 'zod';
import { HostCallError } from '../call/host-call-error';
import { urlOfHost } from './host-text';

/** An address that becomes a link for people. */
export const hostUrlSchema = z.string().transform((text, context) => {
  const url = urlOfHost(text);
  if (url !== null) return url;
  context.addIssue({ code: 'custom', message: 'is no address of a page' });
  return z.NEVER;
});

/** What a client gave out as the host's answer, if it has that form. */
export function readAnswer<T>(
  host: string,
  schema: { safeParse(value: unknown): { success: boolean; data?: T } },
  answer: unknown,
): T {
  const parsed = schema.safeParse(answer);
  if (!parsed.success) throw new HostCallError(host, { kind: 'unreadable' });
  return parsed.data as T;
}
