import { SharedPlaces } from './shared-places';

it('leaves places for others where all hosts of one team hang', async () => {
  const places = new SharedPlaces(4, 2);
  const hanging: (() => void)[] = [];
  const hang = () => new Promise<void>((resolve) => hanging.push(resolve));
  const slow = Array.from({ length: 6 }, () => places.run('slow', hang));
  expect(await places.run('other', async () => 'answered')).toBe('answered');
  expect(hanging).toHaveLength(2);
  await expect(places.run('other', () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  const letGo = setInterval(() => hanging.splice(0).forEach((resolve) => resolve()), 1);
  await Promise.all(slow);
  clearInterval(letGo);
  expect(await places.run('slow', async () => 'again')).toBe('again');
});
