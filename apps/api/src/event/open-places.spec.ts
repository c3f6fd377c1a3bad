import type { Principal } from '../access/principal';
import { OpenPlaces } from './open-places';

const person = (id: string) => ({ user: { id } }) as Principal;
const ada = person('ada');
const REFUSED = expect.objectContaining({ code: 'RATE_LIMITED' }) as Error;

describe('places for open connections', () => {
  it('are so many for one person, and so many in all', () => {
    const places = new OpenPlaces({ total: 3, perPerson: 2 });
    places.take(ada);
    places.take(ada);
    expect(() => places.take(ada)).toThrow(REFUSED);
    places.take(person('bob'));
    expect(() => places.take(person('eve'))).toThrow(REFUSED);
    expect(() => places.refuseWhenFull(person('eve'))).toThrow(REFUSED);
  });

  it('are free again once they are given back, each once', () => {
    const places = new OpenPlaces({ total: 2, perPerson: 2 });
    const leave = places.take(ada);
    places.take(ada);
    leave();
    leave();
    places.take(ada);
    expect(() => places.take(ada)).toThrow(REFUSED);
  });
});
