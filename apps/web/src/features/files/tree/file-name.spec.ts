import { fileName, shownFileName } from './file-name';

it('a file is shown by the last part of its path, with nothing hidden in it', () => {
  expect(fileName('src/app.ts')).toBe('app.ts');
  expect(shownFileName('src/invoice\u202efdp.exe')).toBe('invoice⟨U+202E⟩fdp.exe');
  expect(shownFileName('\u200b.env')).toBe('⟨U+200B⟩.env');
});
