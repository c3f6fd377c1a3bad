import { isLoopbackLink } from './loopback-link';

it.each([
  ['http://127.0.0.1:3000/invitation#x', true],
  ['http://localhost:3000/invitation', true],
  ['http://[::1]:3000/', true],
  ['https://chirality.example/invitation', false],
  ['http://192.168.0.2:3000/', false],
  ['https://127.example/', false],
])('%s works on this machine alone: %s', (link, expected) => expect(isLoopbackLink(link)).toBe(expected));
