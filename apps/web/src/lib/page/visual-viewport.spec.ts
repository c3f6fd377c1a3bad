import { seenArea } from './visual-viewport';

describe('the area that is seen', () => {
  it.each([
    ['a keyboard over the page', { height: 480.4, offsetTop: 60.2, scale: 1 }, 844, { heightPx: 480, topPx: 60 }],
    ['no keyboard', { height: 844, offsetTop: 0, scale: 1 }, 844, null],
    ['a bar of the browser', { height: 790, offsetTop: 0, scale: 1 }, 844, null],
    ['a page that is enlarged by two fingers', { height: 422, offsetTop: 100, scale: 2 }, 844, null],
    ['a page that was resized for the keyboard', { height: 500, offsetTop: 0, scale: 1 }, 500, null],
  ])('%s', (_, viewport, pageHeight, area) => {
    expect(seenArea(viewport, pageHeight)).toEqual(area);
  });
});
