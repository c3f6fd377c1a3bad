import { clampPanelWidth } from './panel-width';

describe('the width of the side panel', () => {
  it.each([
    [600, 1_600, 600],
    [100, 1_600, 320],
    [Infinity, 1_600, 1_200],
    [900, 300, 320],
  ])('of %d wanted in %d is %d', (wanted, available, width) => {
    expect(clampPanelWidth(wanted, available)).toBe(width);
  });
});
