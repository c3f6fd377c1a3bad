import { linkedPath } from './linked-path';

describe('a relative link in a file', () => {
  it.each([
    ['install.md', 'docs/install.md'],
    ['./install.md', 'docs/install.md'],
    ['../README.md', 'README.md'],
    ['/LICENSE', 'LICENSE'],
    ['deep/a%20b.md', 'docs/deep/a b.md'],
    ['a.md?plain=1', 'docs/a.md'],
    ['100%25.md', 'docs/100%.md'],
    ['images/', 'docs/images/'],
    ['.', 'docs/'],
    ['..', ''],
    ['../src', 'src'],
    ['../src/..', ''],
    ['/', ''],
    ['?tab=readme', 'docs/guide.md'],
  ])('%s in docs/guide.md leads to %j', (href, path) => {
    expect(linkedPath('docs/guide.md', href)).toEqual({ path, anchor: '' });
  });

  it('keeps the anchor apart', () => {
    expect(linkedPath('README.md', 'docs/a.md#b?c')).toEqual({ path: 'docs/a.md', anchor: 'b?c' });
    expect(linkedPath('README.md', 'README.md#install')).toEqual({ path: 'README.md', anchor: 'install' });
  });

  it.each(['../../secret', '/../x', 'docs/../../../x', '50%.md', 'a%00b'])('%s leads nowhere', (href) => {
    expect(linkedPath('docs/guide.md', href)).toBeNull();
  });
});
