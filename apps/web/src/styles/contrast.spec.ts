import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** WCAG 2.1, AA, for text of this size. */
const MIN_CONTRAST = 4.5;

const tokens = new Map(
  [
    ...readFileSync(join(__dirname, 'tokens.css'), 'utf8').matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g),
  ].map(([, name, light, dark]) => [name!, { light: light!, dark: dark! }] as const),
);
const named = (pattern: RegExp) => [...tokens.keys()].filter((name) => pattern.test(name));

/** The relative luminance of `#rrggbb`, as WCAG defines it. */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

const backgrounds = ['surface', 'sunken', ...named(/^(added|removed)-(line|word)$/)];
const cases = [...named(/^syntax-/), 'text'].flatMap((colour) =>
  backgrounds.flatMap((background) =>
    (['light', 'dark'] as const).map((theme) => [colour, background, theme] as const),
  ),
);

describe('code in a diff', () => {
  it.each(cases)('can be read: %s on %s, %s', (colour, background, theme) => {
    expect(contrast(tokens.get(colour)![theme], tokens.get(background)![theme])).toBeGreaterThanOrEqual(MIN_CONTRAST);
  });
});
