import { memberNames } from './member-names';

const ME = { id: 'user_me', name: 'Owner' };

describe('names of members', () => {
  it('come from the team, and the service has its own', () => {
    const nameOf = memberNames(
      [
        { userId: 'user_me', name: 'Renamed' },
        { userId: 'user_other', name: 'Mia' },
      ],
      ME,
    );
    expect(['user_me', 'user_other', 'user_gone', null].map(nameOf)).toEqual([
      'Renamed',
      'Mia',
      'Someone',
      'Chirality',
    ]);
  });

  it('include one’s own while the team’s members are not loaded yet', () => {
    expect(['user_me', 'user_other'].map(memberNames(undefined, ME))).toEqual(['Owner', 'Someone']);
  });
});
