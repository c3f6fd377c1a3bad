import { fittedSize, renamed } from './fitted-image';

it.each([
  [800, 600, 800, 600],
  [4000, 3000, 2000, 1500],
  [3000, 4000, 1500, 2000],
  [20_000, 1, 2000, 1],
])('%d × %d becomes %d × %d', (width, height, toWidth, toHeight) => {
  expect(fittedSize(width, height)).toEqual({ width: toWidth, height: toHeight });
});

it.each([
  ['photo.heic', 'image/jpeg', 'photo.jpg'],
  ['photo.JPEG', 'image/jpeg', 'photo.JPEG'],
  ['shot.png', 'image/png', 'shot.png'],
  ['shot.webp', 'image/png', 'shot.png'],
  ['large.png', 'image/webp', 'large.webp'],
  ['image', 'image/png', 'image.png'],
  ['moves', 'image/gif', 'moves.gif'],
])('%s as %s is named %s', (name, type, to) => {
  expect(renamed(name, type)).toBe(to);
});
