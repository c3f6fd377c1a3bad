import { namingAttachments } from './naming-attachments';
import type { Ending } from './turn-ending';

const refused: Ending = { cause: 'fail', error: { code: 'ATTACHMENT_UNSUPPORTED', detail: 'A picture.' } };
const detailOf = (...names: string[]) =>
  namingAttachments(
    refused,
    names.map((name) => ({ name })),
  ).error?.detail;

it('names what was refused, or what may have been', () => {
  expect(detailOf('shot.png')).toMatch(/^The model’s service could not use “shot.png”\./);
  expect(detailOf('shot.png', 'a.pdf')).toMatch(/could not use one of “shot.png”, “a.pdf”\./);
});

it('leaves an ending alone that is about something else, or about a picture that was not attached', () => {
  const other: Ending = { cause: 'fail', error: { code: 'PROMPT_TOO_LONG', detail: 'Long.' } };
  expect(namingAttachments(other, [{ name: 'shot.png' }])).toBe(other);
  expect(namingAttachments(refused, [])).toBe(refused);
});
