import { answersOf, questionsOf } from './questions';

const asked = questionsOf({
  questions: [
    {
      question: 'Which?',
      header: 'Kind',
      options: [{ label: 'A', description: 'the first' }, { label: 'B' }, 5],
      multiSelect: true,
    },
    { question: 'Why?', options: 'none' },
    null,
  ],
});
const [which, why] = [asked[0]!, asked[1]!];
const ticks = (changes: object) => ({ chosen: {}, written: {}, isOwn: {}, ...changes });

describe('questions', () => {
  it('reads what the model put, however odd', () => {
    expect(asked.slice(0, 2)).toEqual([
      {
        question: 'Which?',
        header: 'Kind',
        options: [
          { label: 'A', description: 'the first' },
          { label: 'B', description: '' },
          { label: '', description: '' },
        ],
        isMultiple: true,
      },
      { question: 'Why?', header: '', options: [], isMultiple: false },
    ]);
    expect(questionsOf('nonsense')).toEqual([]);
  });

  it.each([
    ['ticks alone', { chosen: { 'Which?': ['A', 'B'] } }, { chosen: ['A', 'B'], own: '' }],
    [
      'own words alone, with commas, quotes and line breaks kept',
      { isOwn: { 'Which?': true }, written: { 'Which?': ' C, "D"\nand A ' } },
      { chosen: [], own: 'C, "D"\nand A' },
    ],
    [
      'ticks and own words, kept apart',
      { chosen: { 'Which?': ['A', 'B'] }, isOwn: { 'Which?': true }, written: { 'Which?': 'but later,\nplease' } },
      { chosen: ['A', 'B'], own: 'but later,\nplease' },
    ],
    [
      'own words that are not ticked any longer are not sent',
      { chosen: { 'Which?': ['A'] }, isOwn: { 'Which?': false }, written: { 'Which?': 'left' } },
      { chosen: ['A'], own: '' },
    ],
  ])('answers with %s', (_, changes, answer) => {
    expect(answersOf([which], ticks(changes))).toEqual({ 'Which?': answer });
  });

  it.each([
    ['nothing is ticked', {}],
    ['own words are written and not ticked', { written: { 'Which?': 'left' } }],
    [
      'own words are ticked and empty',
      { chosen: { 'Which?': ['A'] }, isOwn: { 'Which?': true }, written: { 'Which?': ' \n' } },
    ],
  ])('is no answer while %s', (_, changes) => {
    expect(answersOf([which], ticks(changes))).toBeNull();
  });

  it.each(['constructor', 'toString', '__proto__'])(
    'takes a question named %s for a question like any other',
    (question) => {
      const [named] = questionsOf({ questions: [{ question, options: [{ label: 'A' }] }] });
      expect(answersOf([named!], ticks({}))).toBeNull();
      const answers = answersOf([named!], ticks({ chosen: Object.fromEntries([[question, ['A']]]) }));
      expect(Object.entries(answers ?? {})).toEqual([[question, { chosen: ['A'], own: '' }]]);
    },
  );

  it('takes the words of a question without options as they are, however long, and needs every question answered', () => {
    const long = 'word '.repeat(2_000).trim();
    expect(answersOf([why], ticks({ written: { 'Why?': long } }))).toEqual({ 'Why?': { chosen: [], own: long } });
    expect(answersOf([which, why], ticks({ chosen: { 'Which?': ['A'] } }))).toBeNull();
    expect(answersOf([], ticks({}))).toBeNull();
  });
});
