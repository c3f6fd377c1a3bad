import { serviceContext } from '../../../lib/state/service-context';
import type { AnswerBook } from './answer-book';

/** The answers of a person. */
export const [AnswerBooksContext, useAnswerBooks] = serviceContext<(userId: string) => AnswerBook>('answer books');
