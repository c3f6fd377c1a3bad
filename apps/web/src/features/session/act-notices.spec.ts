import { ApiError } from '../../lib/http/api-error';
import { actFailure } from './act-notices';

it('says of an act from the menu that failed what did not happen and why, in its session', () => {
  const error = new ApiError({
    status: 409,
    code: 'CONFLICT',
    detail: 'The session’s project is archived. Restore the project first.',
  });
  expect(actFailure({ id: 'sess_a', title: 'Shop' }, 'The session was not restored.', error)).toEqual({
    id: 'menu/sess_a',
    sessionId: 'sess_a',
    sessionTitle: 'Shop',
    tone: 'bad',
    text: 'The session was not restored. The session’s project is archived. Restore the project first.',
    words: null,
  });
});
