import { resultParts } from './result-text';

describe('what a tool answered', () => {
  it('is text in each of its forms', () => {
    expect(resultParts('plain')).toEqual([{ kind: 'text', text: 'plain' }]);
    expect(resultParts([{ type: 'text', text: 'a' }, 'b', { odd: 1 }])).toEqual([
      { kind: 'text', text: 'a' },
      { kind: 'text', text: 'b' },
      { kind: 'text', text: '{\n  "odd": 1\n}' },
    ]);
    expect(resultParts('<tool_use_error>No such tool</tool_use_error>')).toEqual([
      { kind: 'text', text: 'No such tool' },
    ]);
    expect(resultParts(null)).toEqual([]);
  });

  it('shows pictures that it brought along, and never an address', () => {
    const image = (source: object) => resultParts([{ type: 'image', source }]);
    expect(image({ type: 'base64', media_type: 'image/png', data: 'AAAA' })).toEqual([
      { kind: 'image', source: 'data:image/png;base64,AAAA' },
    ]);
    expect(image({ type: 'url', url: 'https://evil.test/x.png' })).toEqual([{ kind: 'text', text: '[picture]' }]);
    expect(image({ type: 'base64', media_type: 'image/svg+xml', data: 'AAAA' })).toEqual([
      { kind: 'text', text: '[picture]' },
    ]);
    expect(image({ type: 'base64', media_type: 'image/png', data: '"><script>' })).toEqual([
      { kind: 'text', text: '[picture]' },
    ]);
  });
});
