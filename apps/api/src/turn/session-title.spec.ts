import { titleFromMessage, UNTITLED } from './session-title';

it.each<[string, string | null]>([
  ['Explain the project', 'Explain the project'],
  ['\n\n## **Fix** the `login` page\nIt fails.', 'Fix the login page'],
  ['---\n\u0007\n- first point', 'first point'],
  [
    'Please look at every file of the payment module and tell me which ones still use floats',
    'Please look at every file of the payment module and tell…',
  ],
  ['x'.repeat(100), `${'x'.repeat(59)}…`],
  ['key is AKIAIOSFODNN7EXAMPLE', 'key is «redacted:AWS_ACCESS_KEY»'],
  ['…', null],
  ['\0', null],
])('%j is titled %j', (message, title) => {
  const given = titleFromMessage({ title: UNTITLED }, message);
  if (title?.includes('redacted')) expect(given).toMatch(/^key is «redacted:[\w-]+»$/);
  else expect(given).toBe(title);
});

it('leaves a title alone that a user gave', () => {
  expect(titleFromMessage({ title: 'Payments' }, 'Explain')).toBeNull();
});
