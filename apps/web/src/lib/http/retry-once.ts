import { ApiError } from './api-error';

/** For answers that are soon there on a second try, if at all. What does not exist is not asked for twice. */
export function retryOnce(failures: number, error: Error): boolean {
  return failures < 1 && !(error instanceof ApiError && error.isGone);
}
