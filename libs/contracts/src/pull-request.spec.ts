import { openPullRequestSchema } from './pull-request';

it('replaces halves of surrogate pairs in what is opened, which no database holds', () => {
  const order = openPullRequestSchema.parse({ title: ' Count \ud83d', body: '\udc4d so \ud83d\udc4d' });
  expect(order).toMatchObject({ title: 'Count \ufffd', body: '\ufffd so 👍' });
});
