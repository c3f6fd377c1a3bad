import { RecentMap } from './recent-map';

it('keeps what was set last, and an entry that is set again is the latest', () => {
  const map = new RecentMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.set('a', 3);
  map.set('c', 4);
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([3, undefined, 4]);
});

it('keeps what was set last as far as it weighs no more than the limit, and nothing that alone weighs more', () => {
  const map = new RecentMap<string, string>(5, (text) => text.length);
  const kept = () => ['a', 'b', 'c'].map((key) => map.get(key));
  map.set('a', 'xx');
  map.set('b', 'xx');
  map.set('a', 'xxx');
  expect(kept()).toEqual(['xxx', 'xx', undefined]);
  map.set('c', 'x');
  expect(kept()).toEqual(['xxx', undefined, 'x']);
  map.set('b', 'xxxxxx');
  expect(kept()).toEqual(['xxx', undefined, 'x']);
});
